/** bubblewrap as it is found on this machine. It is never bundled, and never looked up on a PATH, which a project may set. */

import { statSync } from 'node:fs';

const PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'] as const;

export interface Bwrap {
  path: string;
  /** These two tell this binary from the one that may lie there later. */
  mtimeMs: number;
  inode: number;
}

/** @returns null where it is not installed @param places for tests */
export function findBwrap(places: readonly string[] = PLACES): Bwrap | null {
  for (const path of places) {
    try {
      const found = statSync(path);
      if (found.isFile() && (found.mode & 0o111) !== 0) return { path, mtimeMs: found.mtimeMs, inode: found.ino };
    } catch {
      // Not there: the next place.
    }
  }
  return null;
}
