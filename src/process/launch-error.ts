/** Why a program could not be started, told apart where the system gives one code for several causes. */

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';

export type LaunchReason = 'not-found' | 'cwd' | 'interpreter' | 'too-long' | 'nul' | 'permission' | 'other';

/** Its message never holds arguments: they may be a prompt. */
export class LaunchError extends Error {
  readonly reason: LaunchReason;
  /** The system's code (`ENOENT`, say), where there was one. */
  readonly system: string | null;

  constructor(reason: LaunchReason, message: string, system: string | null = null) {
    super(message);
    this.name = 'LaunchError';
    this.reason = reason;
    this.system = system;
  }
}

export interface Attempt {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** What can be known before the spawn: Node throws its own errors for these, with the whole argument inside. */
export function refuseEarly(attempt: Attempt): LaunchError | null {
  const program = attempt.argv[0];
  if (program === undefined || program === '') return new LaunchError('not-found', 'no program was named');
  if (attempt.argv.some((arg) => arg.includes('\0'))) {
    return new LaunchError('nul', 'an argument holds a NUL byte, which no program can be given');
  }
  for (const [name, value] of Object.entries(attempt.env)) {
    if (name.includes('\0') || value.includes('\0')) {
      return new LaunchError('nul', 'an environment variable holds a NUL byte, which no program can be given');
    }
  }
  if (attempt.cwd.includes('\0')) return new LaunchError('cwd', 'the working directory holds a NUL byte');
  return null;
}

/** Turns the error of a failed spawn into one that says which thing is missing. Only its code is looked at. */
export async function explain(error: unknown, attempt: Attempt): Promise<LaunchError> {
  const code = codeOf(error);
  const program = attempt.argv[0] ?? '';
  const badCwd = await whyNotCwd(attempt.cwd);
  if (badCwd !== null && code !== 'E2BIG') return new LaunchError('cwd', badCwd, code);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      if (await isThere(program, attempt)) {
        const message = `${program} is there, but what its first line names (or its loader) is not`;
        return new LaunchError('interpreter', message, code);
      }
      return new LaunchError('not-found', `program not found: ${program}`, code);
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return new LaunchError('too-long', 'the arguments and environment are longer than the system allows', code);
    case 'EACCES':
    case 'EPERM':
    case 'ENOEXEC':
      return new LaunchError('permission', `${program} can't be executed (${code})`, code);
    default:
      return new LaunchError('other', `${program} could not be started (${code ?? 'unknown reason'})`, code);
  }
}

/** The system's code of an error, also of what caused it. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? null : codeOf(error.cause);
}

async function whyNotCwd(cwd: string): Promise<string | null> {
  try {
    if (!(await stat(cwd)).isDirectory()) return `the working directory is not a directory: ${cwd}`;
    await access(cwd, constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error) === 'EACCES'
      ? `the working directory can't be entered: ${cwd}`
      : `the working directory does not exist: ${cwd}`;
  }
}

/** It is `Path` on Windows, in any case. */
function pathIn(env: Readonly<Record<string, string>>): string {
  const key = Object.keys(env).find((name) => (process.platform === 'win32' ? name.toUpperCase() : name) === 'PATH');
  return key === undefined ? '' : (env[key] ?? '');
}

/** Whether the program file exists, looked up as the system does: on the child's PATH unless it is a path itself. */
async function isThere(program: string, attempt: Attempt): Promise<boolean> {
  const places =
    isAbsolute(program) || program.includes('/') || program.includes(sep)
      ? [resolve(attempt.cwd, program)]
      : pathIn(attempt.env)
          .split(delimiter)
          .map((dir) => join(resolve(attempt.cwd, dir), program));
  for (const place of places) {
    try {
      if ((await stat(place)).isFile()) return true;
    } catch {
      // Not here: look in the next place.
    }
  }
  return false;
}
