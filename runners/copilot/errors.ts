/** Copilot's failures in our codes (1.0.102): structured on stdout, in words on stderr where no session came to be. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Json } from '../../src/contract/vocabulary.js';
import type { Outcome } from '../../src/runner/action.js';
import { codeOfStatus } from '../../src/text/failure-words.js';
import { num, parseObject, str } from '../../src/text/json.js';
import { withoutKey } from '../dialects/openai-error.js';

/** What a `model.call_failure` means; its message is the provider's error object as text. */
export function callFailure(data: Json | undefined): TurnErrorCode | null {
  const body = parseObject(str(data, 'errorMessage') ?? '');
  const inner = str(body, 'code') ?? str(body, 'type') ?? str(body, 'error', 'code');
  if (inner === 'insufficient_quota') return 'quota';
  if (inner === 'context_length_exceeded') return 'context-full';
  const status = num(data, 'statusCode');
  return status === undefined ? null : codeOfStatus(status);
}

/** A `session.error`, which ends the turn. */
export function sessionError(data: Json | undefined): Outcome {
  const message = withoutKey(str(data, 'message') ?? 'Copilot failed without saying why');
  const byType: TurnErrorCode | undefined =
    str(data, 'errorType') === 'authentication'
      ? 'auth'
      : str(data, 'errorType') === 'rate_limit'
        ? 'rate-limited'
        : undefined;
  const status = num(data, 'statusCode');
  return { ok: false, code: byType ?? (status === undefined ? null : codeOfStatus(status)) ?? 'runner-error', message };
}

/**
 * What it says in the model's place when the provider filtered the answer: "The model returned no content because the
 * response was blocked by content filtering." The model's own words come in deltas, this comes whole.
 */
export const FILTERED = /^The model returned no content because the response was blocked by content filtering\.$/;

/** What a line of stderr says about a failed start; null for others. */
export function startFailure(line: string): Outcome | null {
  if (/^Error: No authentication information found\.$/.test(line)) {
    return { ok: false, code: 'auth', message: 'Copilot is not logged in.' };
  }
  if (/^Error: No session, task, or name matched '/.test(line)) {
    return { ok: false, code: 'session-not-found', message: line };
  }
  return /^(Error: Model ".*" .*not available|BYOK providers require an explicit model\.)/.test(line)
    ? { ok: false, code: 'model-unavailable', message: line }
    : null;
}
