/** Another copy of exactly what an agent made: nothing that it left lying around, and nothing that it can still reach. */

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WorkspaceError } from './failure.js';
import { git } from './git.js';
import { inWorkspace } from './patch.js';
import { placesOf, type WorkspaceRecord } from './paths.js';

export interface RevisionCopy {
  /** The same place below the copy as the user's folder below the repository. */
  cwd: string;
  remove(): Promise<void>;
}

/**
 * @param name one word; the copy of that name that was there before is replaced
 * @throws WorkspaceError `state` when there is no change, `git`
 */
export async function copyRevision(
  record: WorkspaceRecord,
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<RevisionCopy> {
  if (record.change === null) throw new WorkspaceError('state', `workspace ${record.id} has no change`);
  const { copies } = placesOf(record.id, env);
  const tree = join(copies, name);
  const index = `${tree}.index`;
  await rm(tree, { recursive: true, force: true });
  await rm(index, { force: true });
  await mkdir(tree, { recursive: true, mode: 0o700 });
  const options = { ...inWorkspace(record, env), cwd: tree, workTree: tree, index };
  await git(['read-tree', record.change.commit], options);
  await git(['checkout-index', '--all', '--force', '--quiet'], options);
  for (const path of record.included) {
    const to = join(tree, path);
    const from = join(record.repository.workTree, path);
    const there = await lstat(from).catch(() => null);
    // The user may have removed it since, or the change may bring a file of that name.
    if (!there?.isFile() || (await lstat(to).catch(() => null)) !== null) continue;
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
  const cwd = join(tree, record.repository.prefix);
  await mkdir(cwd, { recursive: true });
  return {
    cwd: cwd.replace(/[\\/]$/, ''),
    async remove() {
      await rm(tree, { recursive: true, force: true });
      await rm(index, { force: true });
    },
  };
}
