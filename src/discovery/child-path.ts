/** The PATH a program is given, so that `#!/usr/bin/env node` finds the Node it was installed with. */

import type { Program } from '../runner/machine.js';
import { pathsOf, variableKey } from './places.js';
import { searchPath } from './search-path.js';

/** What a desktop app starts with when nothing is set. */
const DEFAULT = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * The caller's PATH without its relative entries, which would let a file in the working folder stand in for `node`. The
 * program's own folder goes first when PATH lacks it; when PATH has it, the user's order stands: a newer Node may come
 * before it. Behind come the folder of the npm prefix it lies in and that of the Node that runs us.
 */
export function pathFor(
  program: Pick<Program, 'found' | 'real'>,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  node: string = process.execPath,
): string {
  const paths = pathsOf(platform);
  const { folders } = searchPath({ env, platform });
  const base = folders.length === 0 && platform !== 'win32' ? DEFAULT : folders;
  const own = paths.dirname(program.found);
  const prefix = /^(.+)[\\/]lib[\\/]node_modules[\\/]/.exec(program.real)?.[1];
  const behind = [
    ...(prefix === undefined ? [] : [paths.join(prefix, 'bin')]),
    ...(/^node(?:\.exe)?$/i.test(paths.basename(node)) ? [paths.dirname(node)] : []),
  ];
  const first = base.includes(own) ? [] : [own];
  return [...new Set([...first, ...base, ...behind])].join(paths.delimiter);
}

/** The name under which PATH stands in an environment (`Path` on Windows). */
export function pathKey(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  return variableKey(env, 'PATH', platform) ?? 'PATH';
}
