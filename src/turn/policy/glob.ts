/** Path globs of a policy: `*` and `?` within a name, `**` across folders. */

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** @param cwd where a relative glob begins */
export function pathGlob(glob: string, cwd: string, home = homedir()): RegExp {
  const expanded = glob.startsWith('~/') ? join(home, glob.slice(2)) : isAbsolute(glob) ? glob : `${cwd}/${glob}`;
  let source = '';
  for (let at = 0; at < expanded.length; at++) {
    const char = expanded[at] ?? '';
    if (expanded.startsWith('**/', at)) {
      source += '(?:.*/)?';
      at += 2;
    } else if (expanded.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else source += char.replace(/[\\^$.|+()[\]{}]/, '\\$&');
  }
  // A folder stands for what is in it, too.
  return new RegExp(`^${source.replace(/^(.*)\/\.\*$/, '$1(?:/.*)?')}$`, 's');
}

/** The path as written, made absolute. */
export const written = (path: string, cwd: string, home = homedir()): string =>
  path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path);
