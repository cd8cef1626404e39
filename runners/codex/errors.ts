/** Codex's errors in our codes: its structured code first, then anchored patterns on its own error text. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Json } from '../../src/contract/vocabulary.js';
import type { Outcome } from '../../src/runner/action.js';
import { codeOfStatus } from '../../src/text/failure-words.js';
import { isObject, num, str } from '../../src/text/json.js';
import { withoutKey } from '../dialects/openai-error.js';

/** HTTP status that travels inside `codexErrorInfo`, e.g. `{"httpConnectionFailed":{"httpStatusCode":401}}`. */
function httpStatus(info: Json | undefined): number | undefined {
  if (!isObject(info)) return undefined;
  for (const detail of Object.values(info)) {
    const status = num(detail, 'httpStatusCode');
    if (status !== undefined) return status;
  }
  return undefined;
}

const NAMED: Readonly<Record<string, TurnErrorCode>> = {
  unauthorized: 'auth',
  contextWindowExceeded: 'context-full',
  sessionBudgetExceeded: 'budget',
  usageLimitExceeded: 'quota',
  rateLimitExceeded: 'rate-limited',
  modelNotFound: 'model-unavailable',
};

/** @returns null when codex gives no reason that we know */
export function codeOf(info: Json | undefined): TurnErrorCode | null {
  if (typeof info === 'string') return NAMED[info] ?? null;
  const status = httpStatus(info);
  return status === undefined ? null : (codeOfStatus(status) ?? 'runner-error');
}

// Both come with `codexErrorInfo: "other"` (0.171.0).
const NO_KEY = /^Missing environment variable: /;
const TOO_LONG = /^Incomplete response returned, reason: max_output_tokens$/;
const FILTERED = /^(stream disconnected before completion: )?Incomplete response returned, reason: content_filter$/;

/** Whether a failed answer was cut off by the provider's filter; codex takes that for a broken stream and tries again. */
export function isFiltered(text: string | undefined): boolean {
  return FILTERED.test(text ?? '');
}

/**
 * How a failed turn ends: some of its failures are stop reasons here.
 * @param resetsAt when a used up plan is there again, in milliseconds since 1970
 */
export function failedOutcome(error: Json | undefined, resetsAt: number | null): Outcome {
  const message = str(error, 'message') ?? 'codex failed without saying why';
  const info = isObject(error) ? error['codexErrorInfo'] : undefined;
  if (TOO_LONG.test(message)) return { ok: true, stopReason: 'max_tokens' };
  if (isFiltered(message)) return { ok: true, stopReason: 'refusal' };
  const code = codeOf(info) ?? (NO_KEY.test(message) ? 'auth' : 'runner-error');
  const details = str(error, 'additionalDetails');
  return {
    ok: false,
    code,
    message: withoutKey(details === undefined ? message : `${message}\n${details}`),
    ...(code === 'quota' && resetsAt !== null ? { resetsAt } : {}),
  };
}

const NO_SESSION = /^(no rollout found for thread id|thread not found|thread not loaded|invalid (session|thread) id)/;

/** The answer to a thread or turn request that codex refused. */
export function refusedOutcome(what: string, message: string): Outcome {
  const code: TurnErrorCode = NO_SESSION.test(message) ? 'session-not-found' : 'runner-error';
  return { ok: false, code, message: `codex ${what}: ${message}` };
}

const RECONNECTING = /^Reconnecting\.\.\. (\d+)\/(\d+)$/;

/** Number of an announced retry, from the text of an `error` with `willRetry`. */
export function retryNumber(message: string): { attempt: number; max: number } | null {
  const found = RECONNECTING.exec(message);
  return found ? { attempt: Number(found[1]), max: Number(found[2]) } : null;
}
