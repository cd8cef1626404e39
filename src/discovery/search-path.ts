/** PATH, read so that a file planted in the working folder is never taken for an installed program. */

import type { Places } from './places.js';
import { isInside, pathsOf, variable } from './places.js';

export interface SearchPath {
  /** Absolute folders in order. */
  folders: readonly string[];
  /** Entries that are empty or relative: they mean whatever folder we happen to be in, and are not searched. */
  ignored: readonly string[];
}

/** Splits PATH. Windows quotes entries that hold a `;`. */
export function searchPath(places: Pick<Places, 'env' | 'platform'>): SearchPath {
  const paths = pathsOf(places.platform);
  const folders: string[] = [];
  const ignored: string[] = [];
  const value = variable(places, 'PATH');
  for (const raw of value === null ? [] : value.split(paths.delimiter)) {
    const entry = places.platform === 'win32' ? raw.trim().replace(/^"(.*)"$/, '$1') : raw;
    if (isRooted(entry, places.platform)) folders.push(paths.resolve(entry));
    else ignored.push(entry);
  }
  return { folders: [...new Set(folders)], ignored: [...new Set(ignored)] };
}

/** On Windows `\tools` hangs on the current drive and `C:tools` on that drive's folder: only a full path is absolute. */
function isRooted(entry: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/.test(entry) : entry.startsWith('/');
}

/**
 * Why a folder is searched only after all others, or null. A folder inside the turn's working folder may hold what a
 * stranger's repository brought; unless the working folder is the home folder or above it, where everything lies inside.
 */
export function lastResort(folder: string, places: Places): string | null {
  const { cwd, home, platform, env } = places;
  if (!isInside(home, cwd, platform) && isInside(folder, cwd, platform)) return 'inside the working folder';
  const windowsDrive =
    platform === 'linux' && env.WSL_DISTRO_NAME !== undefined && /^\/mnt\/[a-z]\//.test(`${folder}/`);
  return windowsDrive ? 'a Windows folder seen from WSL' : null;
}

/** What we can start on Windows, in the order of PATHEXT; PowerShell shims last. */
export function extensions(places: Pick<Places, 'env' | 'platform'>): readonly string[] {
  if (places.platform !== 'win32') return [''];
  const startable = ['.com', '.exe', '.bat', '.cmd'];
  const wanted = (variable(places, 'PATHEXT') ?? '')
    .toLowerCase()
    .split(';')
    .map((one) => one.trim());
  return [...new Set([...wanted.filter((one) => startable.includes(one)), ...startable, '.ps1'])];
}
