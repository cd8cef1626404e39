/**
 * How Gemini CLI (0.61) and what descends from it (qwen 0.24) announce a retry: on stderr alone.
 * "Attempt 1 failed with status 429. Retrying with backoff...", "… failed with 5xx error. …", "… failed with status 429.
 * Retrying in 60s...", or the server's message, which may have several lines: "… failed: Resource has been exhausted (e.g.
 * check quota).\nSuggested retry after 1s.. Retrying after 5185ms...".
 */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Action } from '../../src/runner/action.js';
import { codeOfStatus } from '../../src/text/failure-words.js';

const ATTEMPT = /^Attempt (\d+) failed(?: with (?:status )?(\d{3}|5xx)\b)?(?:.*? ?Retrying\b|: )/;
/** The server's own words for a 429; a newline may part them from the wait. */
const EXHAUSTED = /^Attempt \d+ failed: (?:Resource has been exhausted|Quota exceeded)\b/;
const WAIT = /\bRetrying (?:after (?:explicit delay of )?(\d+)ms|in (\d+)s)/;

/** @returns the retry that a line of stderr announces, or null */
export function announcedAttempt(title: string, line: string): Extract<Action, { do: 'retrying' }> | null {
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
  const what = status === undefined ? 'did not answer' : `answered ${status}`;
  return {
    do: 'retrying',
    attempt: Number(attempt),
    max: null,
    delayMs: ms !== undefined ? Number(ms) : seconds !== undefined ? Number(seconds) * 1000 : null,
    code,
    message: `The model service ${what}; ${title} tries again.`,
  };
}
