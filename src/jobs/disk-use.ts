/** How much room the copies of jobs take. */

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes on the disk; what vanishes meanwhile counts as nothing. */
export async function diskUse(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await diskUse(path);
    else {
      const there = await lstat(path).catch(() => null);
      // Blocks are what a copy that shares its blocks is not charged for by `size`; Windows reports none.
      bytes += there === null ? 0 : (there.blocks ?? 0) * 512 || there.size;
    }
  }
  return bytes;
}
