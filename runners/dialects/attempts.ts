/**
 * How Gemini CLI (0.61) and what descends from it (qwen 0.24) announce a retry: on stderr alone.
 * "Attempt 1 failed with status 429. Retrying with backoff...", "… failed with 5xx error. …", "… failed with status 429.
 * Retrying in 60s...", or the server's message, which may have several lines: "… failed: Resource has been exhausted (e.g.
 * check quota).\nSuggested retry after 1s.. Retrying after 5185ms...".
 */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Action } from '../../src/runner/action.js';
import { codeOfStatus } from '../../src/text/failure-words.js';

/** The same in the file that Gemini CLI logs into. */
export const LOGGED_ATTEMPT = /^\[[^\]]*\] \[(?:WARN|ERROR)\] (?=Attempt \d+ failed)/;
const ATTEMPT = /^Attempt (\d+) failed(?: with (?:status )?(\d{3}|5xx)\b)?(?:.*? ?Retrying\b|: )/;
/** The server's own words for a 429; a newline may part them from the wait. */
const EXHAUSTED = /^Attempt \d+ failed: (?:Resource has been exhausted|Quota exceeded)\b/;
/** Of qwen that waits without an end (`QWEN_CODE_UNATTENDED_RETRY`), every 30 s. */
const WAITING = /^\[qwen-code\] Waiting for API capacity\.\.\. attempt (\d+), retry in (\d+)s$/;
const WAIT = /\bRetrying (?:after (?:explicit delay of )?(\d+)ms|in (\d+)s)/;

/** @returns the retry that a line of stderr, or of the log, announces; else null */
export function announcedAttempt(title: string, logged: string): Extract<Action, { do: 'retrying' }> | null {
  const line = logged.replace(LOGGED_ATTEMPT, '');
  const waiting = WAITING.exec(line);
  if (waiting !== null)
    return {
      ...{ do: 'retrying', attempt: Number(waiting[1]), max: null, delayMs: Number(waiting[2]) * 1000 },
      ...{ code: 'rate-limited', message: `The model service has no capacity; ${title} tries again.` },
      why: 'The model service has no capacity.',
    };
  const found = ATTEMPT.exec(line);
  if (found === null) return null;
  const [, attempt, status] = found;
  const wait = WAIT.exec(line);
  const [ms, seconds] = [wait?.[1], wait?.[2]];
  const code: TurnErrorCode | null =
    status === undefined
      ? EXHAUSTED.test(line)
        ? 'rate-limited'
        : null
      : ((status === '5xx' ? null : codeOfStatus(Number(status))) ?? 'runner-error');
  const what = status !== undefined ? `answered ${status}` : code === null ? 'did not answer' : 'refuses for now';
  return {
    do: 'retrying',
    attempt: Number(attempt),
    max: null,
    delayMs: ms !== undefined ? Number(ms) : seconds !== undefined ? Number(seconds) * 1000 : null,
    code,
    message: `The model service ${what}; ${title} tries again.`,
    why: `The model service ${what}.`,
  };
}
