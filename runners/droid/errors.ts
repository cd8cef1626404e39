/** Droid's failures in our codes (0.225.2). */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Outcome } from '../../src/runner/action.js';
import { codeOfStatus } from '../../src/text/failure-words.js';
import { num, str } from '../../src/text/json.js';
import type { RpcError } from '../../src/text/json-rpc.js';
import { codeOfMessage, withoutKey } from '../dialects/openai-error.js';

const REASONS: Readonly<Record<string, TurnErrorCode>> = {
  model_authentication_failed: 'auth',
  model_usage_exhausted: 'quota',
  model_rate_limited: 'rate-limited',
};

function codeOf(message: string): TurnErrorCode | null {
  if (/^Authentication failed|not authenticated|log ?in/i.test(message)) return 'auth';
  const status = /^(\d{3}) /.exec(message)?.[1];
  return codeOfMessage(message) ?? (status === undefined ? null : codeOfStatus(Number(status)));
}

/** An `error` notification. */
export interface LastError {
  message: string | null;
  name: string | undefined;
}

/** The `error.name` of a call whose answer the provider kept back. */
const MODERATED = 'LLMContentModerationError';

/**
 * @param reason of `agent_turn_completed`
 * @param told the last error
 * @param unanswered the model said nothing after that error
 * @returns null when the turn did not fail
 */
export function failureOf(reason: string, told: LastError | null, unanswered: boolean): Outcome | null {
  if (
    !(reason === 'completed' && unanswered) &&
    ['completed', 'permission_rejected', 'no_approver_available'].includes(reason)
  )
    return null;
  if (unanswered && told?.name === MODERATED) return { ok: true, stopReason: 'refusal' };
  if (reason === 'cancelled') return { ok: false, code: 'cancelled', message: 'The turn was cancelled.' };
  const message = withoutKey(told?.message ?? `Droid ended with ${reason.replaceAll('_', ' ')}`);
  return { ok: false, code: REASONS[reason] ?? codeOf(message) ?? 'runner-error', message };
}

/** A request that was refused. */
export function refused(error: RpcError): Outcome {
  const message = withoutKey(error.message);
  if (error.code === -32004) return { ok: false, code: 'session-not-found', message };
  return { ok: false, code: codeOf(message) ?? 'runner-error', message };
}

/**
 * A call is tried again. It says `overloaded` for any server failure, so that word means nothing.
 * @param note an `llm_retry`
 */
export function retrying(note: JsonObject): Action {
  const reason = str(note, 'reason') ?? 'unknown';
  const words = reason.replaceAll('_', ' ');
  return {
    do: 'retrying',
    attempt: num(note, 'attempt') ?? 1,
    max: null,
    delayMs: null,
    code: reason === 'rate_limited' ? 'rate-limited' : null,
    message: `Droid tries again (${words})`,
    why: `The call of the model failed (${words}).`,
  };
}
