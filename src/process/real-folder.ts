/** The one name of a folder. */

import { realpathSync } from 'node:fs';

/**
 * Programs file their sessions under a folder's name, and compare it. A folder that is not there keeps the name it was
 * given: it is refused elsewhere.
 */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
