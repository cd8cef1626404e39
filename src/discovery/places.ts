/** Where a search looks from: everything it may know about the machine, so that tests can lay out another one. */

import os from 'node:os';
import path from 'node:path';

import type { Files } from './files.js';

export interface Places {
  env: NodeJS.ProcessEnv;
  /** Absolute. */
  home: string;
  platform: NodeJS.Platform;
  /** Working folder of the turn, absolute. What lies in it is never preferred to an installed program. */
  cwd: string;
  /** The argv that starts turnout itself; built-in runtimes run as part of it. */
  turnout?: readonly string[];
  /** Another view of the file system, for tests; the disk when absent. */
  files?: Files;
}

/** The folder we were started in; where it is gone, the path it had (a turn there is refused with words, not a crash). */
export function ownCwd(): string {
  try {
    return process.cwd();
  } catch {
    const named = process.env['PWD'];
    return named !== undefined && path.isAbsolute(named) ? named : path.parse(process.execPath).root;
  }
}

/** The machine we run on. `cwd` is the turn's folder, `turnout` the argv that starts our own program. */
export function thisMachine(options: { cwd?: string; turnout?: readonly string[] } = {}): Places {
  return {
    env: process.env,
    home: os.homedir(),
    platform: process.platform,
    cwd: path.resolve(ownCwd(), options.cwd ?? '.'),
    turnout: options.turnout,
  };
}

/** Path arithmetic of that platform, whichever we run on. */
export function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** The key under which a variable stands: Windows keeps `Path` but means any case. */
export function variableKey(env: NodeJS.ProcessEnv, name: string, platform: NodeJS.Platform): string | null {
  if (env[name] !== undefined) return name;
  if (platform !== 'win32') return null;
  const wanted = name.toLowerCase();
  return Object.keys(env).find((key) => key.toLowerCase() === wanted) ?? null;
}

/** @returns the value; an empty variable counts as not set */
export function variable(places: Pick<Places, 'env' | 'platform'>, name: string): string | null {
  const key = variableKey(places.env, name, places.platform);
  return (key === null ? undefined : places.env[key]) || null;
}

/** Puts the home folder in place of a leading `~`, as a shell would have done. */
export function expandHome(text: string, places: Places): string {
  if (text === '~') return places.home;
  if (!/^~[\\/]/.test(text)) return text;
  return pathsOf(places.platform).join(places.home, text.slice(2));
}

/** Whether `inner` is `outer` or lies below it; both absolute. */
export function isInside(inner: string, outer: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const relative = paths.relative(outer, inner);
  return (
    relative === '' || (relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative))
  );
}
