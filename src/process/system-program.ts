/**
 * Programs of Windows by their full path. A bare name is looked up in the current folder before PATH, by Windows and by
 * Node, so a `taskkill.exe` in a stranger's repository would be started instead.
 */

import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

const DEFAULT_ROOT = 'C:\\Windows';

/** The folder of Windows. A value without a drive would hang on the current folder or drive, and is not believed. */
export function systemRoot(env: NodeJS.ProcessEnv = process.env): string {
  // Windows compares names without case, a copied environment does not.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'SYSTEMROOT');
  const value = name === undefined ? undefined : env[name];
  return value !== undefined && /^[A-Za-z]:[\\/]/.test(value) ? win32.normalize(value) : DEFAULT_ROOT;
}

/** @param path below System32, such as `taskkill.exe` */
export function system32(path: string, env: NodeJS.ProcessEnv = process.env): string {
  return win32.join(systemRoot(env), 'System32', path);
}

/**
 * A program that the user installed, as PATH has it. Elsewhere than on Windows that is the name itself: only PATH is searched.
 * @param options for tests: another platform and disk
 * @returns on Windows a full path; where there is none, one at which nothing lies, so that the start says ENOENT
 */
export function onPath(
  name: string,
  env: NodeJS.ProcessEnv,
  options: { platform?: NodeJS.Platform; exists?: (path: string) => boolean } = {},
): string {
  if ((options.platform ?? process.platform) !== 'win32') return name;
  const key = Object.keys(env).find((one) => one.toUpperCase() === 'PATH');
  const exists = options.exists ?? existsSync;
  for (const raw of (key === undefined ? '' : (env[key] ?? '')).split(';')) {
    const folder = raw.trim().replace(/^"(.*)"$/, '$1');
    // An entry without a drive or a server means whatever folder we happen to be in.
    if (!/^(?:[A-Za-z]:[\\/]|\\\\[^\\])/.test(folder)) continue;
    for (const ending of ['.exe', '.cmd']) {
      const path = win32.join(folder, `${name}${ending}`);
      if (exists(path)) return path;
    }
  }
  return system32(`${name}.exe`, env);
}
