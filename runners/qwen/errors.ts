/** What Qwen Code's words for a failure mean to a caller. Seen in 0.24.4: it has no codes, only text it marks as an error. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Outcome } from '../../src/runner/action.js';
import type { Evidence, Failure } from '../dialects/claude-stream/index.js';

/** How text begins that it prints as if the model had said it: "[API Error: 401 Incorrect API key provided: …]". */
export const ERROR_TEXT = /^\[API Error: /;

/** stderr: "Retrying in 60s (attempt 1/10): [API Error: 429 Rate limit reached …]". */
export const RETRY_STATUS = /^Retrying in \d+s \(attempt \d+\/\d+\): \[API Error: (\d{3})\b/;

const STATUSES: Readonly<Record<number, TurnErrorCode>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'model-unavailable',
  429: 'rate-limited',
};

/** "Missing API key for OpenAI-compatible auth. Set …" · "No auth type is selected. Please configure …". */
const NO_LOGIN = /^(Missing API key for |No auth type is selected\.)/;

export function failure({ status, message }: Evidence): Failure {
  const told = /^\[API Error: (\d{3})\b/.exec(message)?.[1];
  const known = status ?? (told === undefined ? null : Number(told));
  if (NO_LOGIN.test(message)) return { code: 'auth', message };
  return { code: (known === null ? undefined : STATUSES[known]) ?? 'runner-error', message };
}

/**
 * Two ends without a `result` line: exit 1 with "No saved session found with ID 1111…" and exit 53 with "Reached max
 * session turns for this session. Increase …".
 */
export function lastWords(stderr: readonly string[]): Outcome | null {
  for (const line of stderr) {
    if (/^No saved session found with ID /.test(line)) return { ok: false, code: 'session-not-found', message: line };
    if (/^Reached max session turns for this session\./.test(line)) return { ok: true, stopReason: 'max_turns' };
  }
  return null;
}
