/** The files of a store are their owner's alone, also those that were there before us. */

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../process/make-folder.js';
import { reasonOf } from './store-error.js';

/** SQLite's side files, and ours. */
export const SIDE_FILES = ['-wal', '-shm', '-journal', '-lock', '-owner'] as const;

function tighten(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & 0o077) === 0) return null;
  try {
    chmodSync(path, 0o600);
    return null;
  } catch (error) {
    return `${path} can be read by others: ${reasonOf(error)}`;
  }
}

/**
 * Makes the file with mode 0600, or tightens it and its side files to that. A file that exists is not opened: closing
 * it would end the locks that this process holds on it (POSIX).
 * @returns what could not be tightened, a line each
 * @throws the file system's error when the file can't be made
 */
export function makePrivate(path: string): string[] {
  makeFolder(dirname(path), 0o700);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, 'a', 0o600));
  if (process.platform === 'win32') return [];
  const all = [path, ...SIDE_FILES.map((side) => `${path}${side}`)];
  return all.map(tighten).filter((line): line is string => line !== null);
}
