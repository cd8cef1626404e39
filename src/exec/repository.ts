import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether a folder lies in the work tree of a git repository: `.git` is a folder, or a file in a linked work tree. Asked in
 * every turn, so by the calls that are loaded already.
 */
export function inRepository(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, '.git')) || (above !== folder && inRepository(above));
}
