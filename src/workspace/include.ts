/** Files that git ignores and a copy needs all the same (`.env.example`, build output): named in `.turnoutinclude`, as `.gitignore` names files. */

import { constants, existsSync } from 'node:fs';
import { copyFile, lstat, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WorkspaceError } from './failure.js';
import { git, zeroParts } from './git.js';
import { on, type Repository } from './repository.js';

const LISTS = ['.turnoutinclude', '.worktreeinclude'];
const MOST_BYTES = 200 * 1024 * 1024;
/** Files that usually hold secrets: copied only when the caller says so. */
const SECRET = /^\.env(?:\..*)?$/;

/**
 * Copies what the lists name. Links are left out: one could lead anywhere.
 * @returns the paths that were copied, relative to the repository
 * @throws WorkspaceError `too-large` above 200 MiB
 */
export async function copyIncluded(repository: Repository, tree: string, withSecrets: boolean): Promise<string[]> {
  const copied: string[] = [];
  let bytes = 0;
  for (const list of LISTS.map((name) => join(repository.workTree, name)).filter(existsSync)) {
    const args = ['ls-files', '--others', '--ignored', `--exclude-from=${list}`, '-z'];
    const named = zeroParts((await git(args, on(repository))).text);
    for (const path of named) {
      if (copied.includes(path) || (SECRET.test(basename(path)) && !withSecrets)) continue;
      const from = join(repository.workTree, path);
      const to = join(tree, path);
      const stat = await lstat(from);
      if (!stat.isFile() || existsSync(to)) continue;
      bytes += stat.size;
      if (bytes > MOST_BYTES) {
        throw new WorkspaceError('too-large', `${basename(list)} names more than 200 MiB; name less`);
      }
      await mkdir(dirname(to), { recursive: true });
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      copied.push(path);
    }
  }
  return copied;
}
