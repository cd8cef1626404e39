/** What people read about the end of a turn. */

import type { ErrorCode, TimeoutReason } from '../contract/error.js';
import type { Unread } from '../contract/event.js';
import type { Credential, StopReason } from '../contract/vocabulary.js';
import { codeOfComplaint } from '../text/failure-words.js';

export const unreadText = ({ count, last }: Unread) =>
  `${count === 1 ? 'A line' : `${count} lines`} of its output could not be read; the last began: ${last}`;

export const timeoutText = (runtime: string, reason: TimeoutReason): string =>
  reason === 'idle' ? `${runtime} gave no sign of life for too long.` : 'The turn took longer than its time limit.';

/** Behind the words that there is no answer: why the runtime stopped, where it said more than that it did. */
export const endedBy = (stopReason: StopReason): string =>
  stopReason === 'max_turns' ? ': it had reached its limit of rounds' : '';

/**
 * What to do when a program was not let in. A key that is set outranks the login, so the login alone would not help.
 * @param login the command that logs in
 */
export function loginAdvice(login: string, credential: Credential | undefined): string {
  const variable = credential?.kind === 'api_key' || credential?.kind === 'login' ? credential.source : undefined;
  // A file is replaced by the login.
  if (variable === undefined || !/^[A-Z_][A-Z0-9_]*$/.test(variable)) return `Run: ${login}`;
  return `It used the key in ${variable}: set a valid one, or unset it and run: ${login}`;
}

/**
 * What a program that said nothing else means by the last lines of its stderr. Once it has worked, a command of the
 * agent's may have printed them.
 */
export function complaint(stderr: string): ErrorCode | null {
  const lines = stderr.split('\n').reverse();
  return lines.map(codeOfComplaint).find((code) => code !== null) ?? null;
}
