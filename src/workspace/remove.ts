/** Removes copies, by their record alone: a folder that merely looks like one of ours is never touched. */

import { lstat, rename, rm } from 'node:fs/promises';
import { randomHex } from '../process/random.js';
import { baseRef } from './create.js';
import { WorkspaceError } from './failure.js';
import { git } from './git.js';
import { allRecords, identityOf, placesOf, type WorkspaceRecord, writeRecord } from './paths.js';
import { on } from './repository.js';

/** Kept changes that nobody landed are offered for removal after that. */
export const KEPT_FOR = 14 * 24 * 60 * 60 * 1000;

/**
 * Removes the copy; its record stays and says what became of it.
 * @param as `landed` leaves that word, anything else becomes `discarded`
 * @throws WorkspaceError `state` when the folder is not the one that was made
 */
export async function removeFiles(record: WorkspaceRecord, env: NodeJS.ProcessEnv, now: number): Promise<void> {
  const places = placesOf(record.id, env);
  const there = await lstat(places.tree).catch(() => null);
  if (there !== null) {
    if ((await identityOf(places.tree)) !== record.identity) {
      throw new WorkspaceError(
        'state',
        `${places.tree} is not the folder that was made for ${record.id}; it is left alone`,
      );
    }
    const trash = `${places.tree}.${randomHex(4)}`;
    await rename(places.tree, trash);
    await rm(trash, { recursive: true, force: true });
  }
  for (const path of [places.objects, places.index, `${places.index}.user`, `${places.dir}/nested`, places.copies])
    await rm(path, { recursive: true, force: true });
  const gone = (await lstat(record.repository.gitDir).catch(() => null)) === null;
  if (!gone) {
    if (record.isolation === 'worktree') await git(['worktree', 'prune'], on(record.repository));
    // Last: until here the base can still be found.
    await git(['update-ref', '-d', baseRef(record.id)], on(record.repository));
  }
  await rm(places.hidden, { recursive: true, force: true });
  Object.assign(record, { state: record.state === 'landed' ? 'landed' : 'discarded', updated_at: now });
  await writeRecord(record, env);
}

export interface CleanOptions {
  env: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  now: number;
  dryRun: boolean;
  /** Ids that a turn is at work in. */
  busy?: ReadonlySet<string>;
}

/** @returns what was, or with `dryRun` would be, removed */
export async function cleanWorkspaces(options: CleanOptions): Promise<WorkspaceRecord[]> {
  const { env, now, busy } = options;
  const records = (await allRecords(env)).filter(({ id }) => !busy?.has(id));
  const old: WorkspaceRecord[] = [];
  for (const record of records) {
    const left = (await lstat(placesOf(record.id, env).tree).catch(() => null)) !== null;
    const over = record.state === 'landed' || record.state === 'discarded';
    const expired = over || (record.job === undefined && now - record.updated_at > KEPT_FOR);
    if (left && expired) old.push(record);
  }
  if (!options.dryRun) for (const record of old) await removeFiles(record, env, now);
  return old;
}
