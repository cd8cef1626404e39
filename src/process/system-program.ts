/**
 * Programs of Windows by their full path. A bare name is looked up in the current folder before PATH, by Windows and by
 * Node, so a `taskkill.exe` in a stranger's repository would be started instead.
 */

import { existsSync, realpathSync } from 'node:fs';
import { win32 } from 'node:path';

const DEFAULT_ROOT = 'C:\\Windows';

/** The folder of Windows. A value without a drive would hang on the current folder or drive, and is not believed. */
export function systemRoot(env: NodeJS.ProcessEnv = process.env): string {
  const value = variableOf(env, 'SYSTEMROOT');
  return /^[A-Za-z]:[\\/]/.test(value) ? win32.normalize(value) : DEFAULT_ROOT;
}

/** @param path below System32, such as `taskkill.exe` */
export function system32(path: string, env: NodeJS.ProcessEnv = process.env): string {
  return win32.join(systemRoot(env), 'System32', path);
}

export interface PathOptions {
  /** Where the program will work; what lies inside is never taken, as little as what lies inside our own folder. */
  cwd?: string;
  /** For tests: another platform and disk. */
  platform?: NodeJS.Platform;
  exists?: (path: string) => boolean;
  own?: string;
}

/**
 * A program that the user installed, as PATH has it. Elsewhere than on Windows that is the name itself: only PATH is searched.
 * @returns on Windows a full path; where there is none, one at which nothing lies, so that the start says ENOENT
 */
export function onPath(name: string, env: NodeJS.ProcessEnv, options: PathOptions = {}): string {
  if ((options.platform ?? process.platform) !== 'win32') return name;
  const exists = options.exists ?? existsSync;
  const home = variableOf(env, 'USERPROFILE');
  // In a home folder, or above it, everything lies inside.
  const strange = [options.own ?? process.cwd(), options.cwd ?? '']
    .filter((folder) => isFull(folder) && !(isFull(home) && isInside(home, folder)))
    .flatMap((folder) => [folder, realOf(folder)]);
  const isStrange = (folder: string) => strange.some((one) => isInside(folder, one));
  const endings = /\.(?:exe|com|cmd)$/i.test(name) ? [''] : ['.exe', '.cmd'];
  for (const raw of variableOf(env, 'PATH').split(';')) {
    const folder = raw.trim().replace(/^"(.*)"$/, '$1');
    // An entry without a drive or a server means whatever folder we happen to be in.
    if (!isFull(folder) || isStrange(folder) || isStrange(realOf(folder))) continue;
    for (const ending of endings) {
      const path = win32.join(folder, `${name}${ending}`);
      if (exists(path)) return path;
    }
  }
  return system32(`${name}${endings[0]}`, env);
}

/**
 * The command of an argv of ours or of a person's: a path as it is, a bare name as {@link onPath} finds it.
 * @param env the environment it will get
 */
export function commandOf(program: string, env: NodeJS.ProcessEnv, options: PathOptions = {}): string {
  const bare = !/[\\/:]/.test(program);
  return bare ? onPath(program, env, options) : program;
}

/** The shell that reads a person's command lines. ComSpec is anybody's to set, so it is not asked. */
export function commandShell(env: NodeJS.ProcessEnv): string {
  return process.platform === 'win32' ? system32('cmd.exe', env) : '/bin/sh';
}

/** Windows compares names without case, a copied environment does not. */
function variableOf(env: NodeJS.ProcessEnv, name: string): string {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name);
  return key === undefined ? '' : (env[key] ?? '');
}

/** With a drive or a server. */
const isFull = (folder: string): boolean => /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/.test(folder);

function isInside(path: string, folder: string): boolean {
  const way = win32.relative(folder.toLowerCase(), path.toLowerCase());
  return way === '' || !(way === '..' || way.startsWith('..\\') || win32.isAbsolute(way));
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // Nothing is there: nothing is found there either.
    return folder;
  }
}
