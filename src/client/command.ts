/** Runs one short command of turnout and gives what it printed. */

import { spawn } from 'node:child_process';
import { TurnoutError } from '../contract/error.js';
import type { FoundProgram } from './find.js';

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** More than any command prints; a program that is not ours may print anything. */
const MOST = 8 * 1024 * 1024;

/**
 * @param ms after which it is ended
 * @throws {TurnoutError} missing-binary: it can't be started; runner-error: it does not end
 */
export function runCommand(program: FoundProgram, args: readonly string[], ms: number): Promise<Said> {
  const [command = '', ...first] = program.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], {
      env: program.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length < MOST) texts[name] += text;
      });
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new TurnoutError('runner-error', `${program.path} gave no answer within ${ms / 1000} s`));
    }, ms);
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(
        new TurnoutError('missing-binary', `${program.path} can't be started: ${cause.message}`, {
          hint: program.upgrade,
          cause,
        }),
      );
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...texts });
    });
  });
}
