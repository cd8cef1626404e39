/** Files as the base of a copy holds them, whatever the agent made of them. */

import { git } from './git.js';
import type { WorkspaceRecord } from './paths.js';
import { on } from './repository.js';

/**
 * @param path relative to the repository, `/` between names
 * @returns null when the base has no such file
 */
export async function baseFile(record: WorkspaceRecord, path: string): Promise<Uint8Array | null> {
  const listed = await git(['ls-tree', '-z', record.base, path], on(record.repository));
  const [, kind, blob] = /^\d+ (\w+) ([0-9a-f]+)\t/.exec(listed.text) ?? [];
  if (kind !== 'blob' || blob === undefined) return null;
  return (await git(['cat-file', 'blob', blob], on(record.repository))).bytes;
}
