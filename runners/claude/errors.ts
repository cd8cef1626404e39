/** What Claude Code's own words for a failure mean to a caller. Seen in 2.1.332, where nothing else is said. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Outcome } from '../../src/runner/action.js';
import type { Evidence, Failure } from '../dialects/claude-stream/index.js';

/** `error` of the line that stands in place of an answer: all values that the program knows. */
const KINDS: Readonly<Record<string, TurnErrorCode>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  cloud_credential_error: 'auth',
  billing_error: 'quota',
  rate_limit: 'rate-limited',
  model_not_found: 'model-unavailable',
};

const STATUSES: Readonly<Record<number, TurnErrorCode>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  429: 'rate-limited',
};

/**
 * The program's error text, where nothing more structured is there. Samples:
 * "Not logged in · Please run /login" · "Credit balance is too low" · "Prompt is too long" · "No conversation found with session ID: 1111…" ·
 * "Error: --resume requires a valid session ID or session title when used with --print. Usage: …"
 */
const TEXTS: readonly [RegExp, TurnErrorCode][] = [
  [/^Not logged in · Please run \/login$/, 'auth'],
  [/^Credit balance is too low/, 'quota'],
  [/^Prompt is too long/, 'context-full'],
  [/^No conversation found with session ID: /, 'session-not-found'],
  [/^Error: --resume requires a valid session ID/, 'session-not-found'],
];

/** "You've hit your 5-hour limit · resets …" comes as a rate limit, but waiting a moment does not help. */
function codeOf({ kind, status, message, planExhausted }: Evidence): TurnErrorCode {
  // Told as an invalid request of status 400 or 413, which says less.
  const words = TEXTS.find(([pattern]) => pattern.test(message))?.[1];
  if (words === 'context-full') return words;
  const code =
    (kind === null ? undefined : KINDS[kind]) ??
    (status === null ? undefined : STATUSES[status]) ??
    words ??
    'runner-error';
  return code === 'rate-limited' && planExhausted ? 'quota' : code;
}

export function failure(evidence: Evidence): Failure {
  return { code: codeOf(evidence), message: evidence.message };
}

/** stderr of a process that said nothing else. Samples are whole lines. */
const LAST_WORDS: readonly [RegExp, TurnErrorCode][] = [
  [/^--dangerously-skip-permissions cannot be used with root\/sudo privileges for security reasons$/, 'unsafe'],
  [/^No conversation found with session ID: [\w-]+$/, 'session-not-found'],
];

export function lastWords(stderr: readonly string[]): Outcome | null {
  for (const line of stderr) {
    const found = LAST_WORDS.find(([pattern]) => pattern.test(line.trim()));
    if (found !== undefined) return { ok: false, code: found[1], message: line.trim() };
  }
  return null;
}
