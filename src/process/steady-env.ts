/**
 * The environment of a turn whose agent may write files in its working directory: nothing in it points into that
 * directory, so that no file written there decides what a program runs.
 */

import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, relative, sep } from 'node:path';

/** Lists of folders or files that programs, shells and interpreters load code or settings from. */
const LOADED: readonly string[] = [
  'BASH_ENV',
  'BUN_OPTIONS',
  'CLASSPATH',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'ENV',
  'GIT_ASKPASS',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NODE_OPTIONS',
  'NODE_PATH',
  'PERL5LIB',
  'PERL5OPT',
  'PYTHONHOME',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'RIPGREP_CONFIG_PATH',
  'RUBYLIB',
  'RUBYOPT',
  'XDG_CONFIG_DIRS',
  'XDG_CONFIG_HOME',
  'ZDOTDIR',
];

/** Commands that git and pagers would run. */
const COMMANDS: readonly string[] = ['GIT_EXTERNAL_DIFF', 'GREP_OPTIONS', 'LESSCLOSE', 'LESSOPEN', 'PROMPT_COMMAND'];

/**
 * What git is set to for the runtime's own calls of it. Drivers that attributes name have no such switch, hence our judge
 * lets no git run at these modes.
 */
const GIT: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ['core.pager', 'cat'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
];

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a path is relative, or lies in a folder, links followed. */
function dependsOn(path: string, cwd: string): boolean {
  if (!isAbsolute(path)) return true;
  const away = relative(cwd, real(path));
  return away === '' || (away !== '..' && !away.startsWith(`..${sep}`) && !isAbsolute(away));
}

/** The paths in a value: a list, or options with paths in them. */
function pathsIn(name: string, value: string): string[] {
  if (!/OPT(ION)?S?$/.test(name)) return value.split(delimiter);
  return value.split(/[\s=]+/).filter((word) => /^\.{0,2}[\\/]/.test(word) || /^[\w@][^-]*[\\/]/.test(word));
}

/**
 * @param env changed in place
 * @param cwd real path of the folder in which files may be written
 * @param explicit names the caller gave: they stay
 */
export function steady(env: Record<string, string>, cwd: string, explicit: ReadonlySet<string>): void {
  for (const name of COMMANDS) if (!explicit.has(name)) delete env[name];
  for (const name of LOADED) {
    const value = env[name];
    if (value === undefined || explicit.has(name)) continue;
    if (pathsIn(name, value).some((path) => dependsOn(path, cwd))) delete env[name];
  }
  for (const name of Object.keys(env)) {
    if (name.toUpperCase() !== 'PATH' || explicit.has(name)) continue;
    const folders = (env[name] ?? '').split(delimiter);
    env[name] = folders.filter((folder) => !dependsOn(folder, cwd)).join(delimiter);
  }
  const given = env['GIT_CONFIG_COUNT'] ?? '0';
  const first = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  GIT.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${first + index}`] = key;
    env[`GIT_CONFIG_VALUE_${first + index}`] = value;
  });
  env['GIT_CONFIG_COUNT'] = String(first + GIT.length);
}
