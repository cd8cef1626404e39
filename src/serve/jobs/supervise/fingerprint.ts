/** Which turnout is installed at a place: another one when a package manager has replaced its files. */

import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['package.json', 'dist/cli.js', 'dist/main.cjs'] as const;

/**
 * @param root the folder of the package
 * @returns null while a file is missing, as in the middle of an installation
 */
export function fingerprint(root: string): string | null {
  try {
    const parts = FILES.map((name) => {
      const path = realpathSync(join(root, name));
      const { size, mtimeMs, ino } = statSync(path);
      return `${path} ${size} ${mtimeMs} ${ino}`;
    });
    return parts.join('\n');
  } catch {
    return null;
  }
}
