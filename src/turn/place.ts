/** Where a path that a tool names really lies: links followed, and whether a file there could steer what runs unasked. */

import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { steersByName } from '../text/steering.js';

/** Real path of the nearest part that exists, the rest as written; a link to nowhere counts as outside everything. */
function realish(path: string): string {
  let here = path;
  const rest: string[] = [];
  for (;;) {
    try {
      return join(realpathSync(here), ...rest);
    } catch {
      try {
        if (lstatSync(here).isSymbolicLink()) return sep;
      } catch {
        // It does not exist: its parent decides.
      }
      const parent = dirname(here);
      if (parent === here) return path;
      rest.unshift(here.slice(parent.length).replace(/^[\\/]+/, ''));
      here = parent;
    }
  }
}

/** A path with links followed as far as it exists. @param folder where a relative one begins */
export const realPath = (path: string, folder: string): string => realish(resolve(folder, path));

/** Whether a path lies inside a folder, links followed. */
export function isInside(path: string, folder: string): boolean {
  if (path.includes('\0')) return false;
  const away = relative(realish(folder), realish(resolve(folder, path)));
  return away === '' || (!isAbsolute(away) && away !== '..' && !away.startsWith(`..${sep}`));
}

/** git takes a folder with these for a repository, and its `config` for the repository's. */
function isRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

/**
 * Whether a file at a path could steer what runs unasked: by its name as written or as it really is, or because it lies
 * in a folder that git takes for a repository.
 */
export function isSteering(path: string, cwd: string): boolean {
  const real = realish(resolve(cwd, path));
  const away = relative(realish(cwd), real);
  if (steersByName(relative(cwd, resolve(cwd, path))) || steersByName(away)) return true;
  const outside = away === '..' || away.startsWith(`..${sep}`) || isAbsolute(away);
  if (outside) return false;
  const parts = away.split(sep);
  return parts.some((_, index) => isRepository(join(realish(cwd), ...parts.slice(0, index))));
}

/** Whether a folder holds `name.EXT`, whatever the ending and the case: cmd looks there before PATH. An unreadable folder does. */
export function isPlanted(name: string, folder: string): boolean {
  try {
    const start = `${name.toLowerCase()}.`;
    return readdirSync(folder).some((file) => file.toLowerCase().startsWith(start));
  } catch {
    return true;
  }
}
