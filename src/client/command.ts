/** Runs one short command of turnout and gives what it printed. */

import { execa } from 'execa';
import { TurnoutError } from '../contract/error.js';
import { commandOf } from '../process/system-program.js';
import type { FoundProgram } from './find.js';

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Characters: more than any command prints; a program that is not ours may print anything, and is ended there. */
const MOST = 8 * 1024 * 1024;

/**
 * @param ms after which it is ended
 * @throws {TurnoutError} missing-binary: it can't be started; runner-error: it does not end
 */
export async function runCommand(program: FoundProgram, args: readonly string[], ms: number): Promise<Said> {
  const [command = '', ...first] = program.argv;
  const ended = await execa(commandOf(command, program.env), [...first, ...args], {
    env: program.env,
    extendEnv: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    maxBuffer: MOST,
    timeout: ms,
    killSignal: 'SIGKILL',
    windowsHide: true,
    reject: false,
  });
  if (ended.timedOut) throw new TurnoutError('runner-error', `${program.path} gave no answer within ${ms / 1000} s`);
  if (ended.failed && !ended.isMaxBuffer && ended.exitCode === undefined && ended.signal === undefined) {
    throw new TurnoutError('missing-binary', `${program.path} can't be started: ${reasonOf(ended.cause)}`, {
      hint: program.upgrade,
      cause: ended.cause,
    });
  }
  return { code: ended.exitCode ?? null, stdout: ended.stdout, stderr: ended.stderr };
}

/** Node's own words; execa's would repeat the arguments. */
const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
