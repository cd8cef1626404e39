/**
 * Puts files in the place of others so that an edit made meanwhile is never lost: each file is looked at once more right before it is
 * replaced, what it was is kept until all is done, and the first surprise puts everything back. `git apply` reads all files first and
 * writes them later: what is saved in between would be overwritten.
 */

import type { BigIntStats } from 'node:fs';
import { link, lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WorkspaceError } from './failure.js';

export interface Swap {
  /** Below the work tree, with `/`. */
  path: string;
  /** The file that belongs there, on the same file system; null: none does. */
  from: string | null;
  /** What stood there when it was last read; null: nothing. */
  seen: BigIntStats | null;
}

const code = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** @returns null where nothing is */
export async function statOf(file: string): Promise<BigIntStats | null> {
  try {
    return await lstat(file, { bigint: true });
  } catch (error) {
    if (code(error) === 'ENOENT' || code(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** A further name of a file changes its ctime, and on layered file systems its inode: its bytes are told by size and mtime. */
const sameBytes = (a: BigIntStats, b: BigIntStats): boolean =>
  a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode;
const untouched = (a: BigIntStats | null, b: BigIntStats | null): boolean =>
  a === null || b === null ? a === b : sameBytes(a, b) && a.ino === b.ino && a.ctimeNs === b.ctimeNs;

const changed = (path: string, cause?: unknown): WorkspaceError =>
  new WorkspaceError('changed-meanwhile', `nothing was changed: ${path} changed in the meantime; try again`, {
    paths: [path],
    cause,
  });

type Undo = () => Promise<void>;

/** Makes the folders above a file, none of which may be a link that leads elsewhere. */
async function makeParents(workTree: string, path: string, undo: Undo[]): Promise<void> {
  const parts = path.split('/').slice(0, -1);
  for (let deep = 1; deep <= parts.length; deep++) {
    const folder = join(workTree, ...parts.slice(0, deep));
    const found = await statOf(folder);
    if (found?.isDirectory()) continue;
    if (found !== null) {
      const where = parts.slice(0, deep).join('/');
      throw new WorkspaceError('conflict', `nothing was changed: ${where} is in the way`, { paths: [where] });
    }
    await mkdir(folder);
    undo.push(() => rmdir(folder));
  }
}

/** Folders that became empty go, as git does not know them. */
async function dropEmptyParents(workTree: string, path: string, undo: Undo[]): Promise<void> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const full = join(workTree, folder);
    try {
      await rmdir(full);
    } catch {
      // Not empty, or another's working directory: it stays.
      return;
    }
    undo.push(async () => void (await mkdir(full, { recursive: true })));
  }
}

async function add(file: string, from: string, path: string, undo: Undo[]): Promise<void> {
  try {
    await link(from, file);
  } catch (error) {
    if (code(error) !== 'EEXIST') throw error;
    throw new WorkspaceError('conflict', `nothing was changed: ${path} is in the way`, { paths: [path], cause: error });
  }
  const made = await statOf(file);
  undo.push(async () => {
    const now = await statOf(file);
    // An edit of what has just landed is the user's.
    if (now !== null && made !== null && sameBytes(now, made)) await unlink(file);
  });
}

/** Takes what is there aside, and makes sure that it is what was seen. */
async function takeAway(file: string, swap: Swap, seen: BigIntStats, aside: string, undo: Undo[]): Promise<void> {
  await rename(file, aside);
  undo.push(() => link(aside, file));
  const taken = await statOf(aside);
  if (taken === null || !sameBytes(taken, seen)) throw changed(swap.path);
}

async function replace(file: string, swap: Swap, from: string, seen: BigIntStats, aside: string, undo: Undo[]) {
  await link(file, aside);
  const [held, there] = [await statOf(aside), await statOf(file)];
  if (held === null || !sameBytes(held, seen) || held.ino !== there?.ino) throw changed(swap.path);
  const fresh = await statOf(from);
  await rename(from, file);
  undo.push(async () => {
    const now = await statOf(file);
    if (now !== null && fresh !== null && sameBytes(now, fresh)) await rename(aside, file);
  });
  const late = await statOf(aside);
  if (late === null || !sameBytes(late, seen)) throw changed(swap.path);
}

async function swapOne(workTree: string, swap: Swap, aside: string, undo: Undo[]): Promise<void> {
  const file = join(workTree, ...swap.path.split('/'));
  const { from, seen } = swap;
  if (!untouched(await statOf(file), seen)) throw changed(swap.path);
  if (from === null) {
    if (seen === null) return;
    await takeAway(file, swap, seen, aside, undo);
    return dropEmptyParents(workTree, swap.path, undo);
  }
  if (seen !== null) return replace(file, swap, from, seen, aside, undo);
  await makeParents(workTree, swap.path, undo);
  await add(file, from, swap.path, undo);
}

/** @returns the files that could not be put back */
async function putBack(undo: readonly Undo[]): Promise<unknown[]> {
  const failed: unknown[] = [];
  for (const back of undo.toReversed()) {
    try {
      await back();
    } catch (error) {
      // The user made a new one meanwhile: that is what they want.
      if (code(error) !== 'EEXIST') failed.push(error);
    }
  }
  return failed;
}

/** What stood there before could not be put back everywhere: it is still in `aside`, which must stay. */
export class StrandedFiles extends WorkspaceError {
  constructor(aside: string, cause: unknown) {
    super('git', `landing failed half-way; what stood there before is in ${aside}`, { cause });
    this.name = 'StrandedFiles';
  }
}

/**
 * @param aside an empty folder on the same file system; holds what stood there before, and is the caller's to remove
 * @throws WorkspaceError `changed-meanwhile`, `conflict`: all is as it was; StrandedFiles
 */
export async function swapFiles(workTree: string, swaps: readonly Swap[], aside: string): Promise<void> {
  const undo: Undo[] = [];
  // What goes makes room for what comes: a file where a folder was, and the other way round.
  const ordered = [...swaps.filter(({ from }) => from === null), ...swaps.filter(({ from }) => from !== null)];
  try {
    for (const [at, swap] of ordered.entries()) await swapOne(workTree, swap, join(aside, String(at)), undo);
  } catch (error) {
    const failed = await putBack(undo);
    if (failed.length > 0) throw new StrandedFiles(aside, new AggregateError(failed));
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError('git', `nothing was changed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
