/** How a turn ended, from its `result` line and the errors the program marked on the way. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Outcome } from '../../../src/runner/action.js';
import { arr, bool, num, str } from '../../../src/text/json.js';
import type { Evidence, StreamProgram } from './options.js';
import type { Usage } from './usage.js';

/** The last error that was marked as one; no model text. */
export interface Marked {
  kind: string | null;
  status: number | null;
  text: string;
}

/** What a `rate_limit_event` said of the account's plan (claude 2.1.332). */
export interface PlanLimit {
  /** The plan refuses more for now. */
  exhausted: boolean;
  /** Milliseconds since 1970; null when not reported. */
  resetsAt: number | null;
}

/** `resetsAt` is in seconds. */
export function planLimit(line: JsonObject): PlanLimit {
  const seconds = num(line, 'rate_limit_info', 'resetsAt');
  return {
    exhausted: str(line, 'rate_limit_info', 'status') === 'rejected',
    resetsAt: seconds === undefined ? null : seconds * 1000,
  };
}

/** An `assistant` line of the program itself, with its error in place of an answer; null for anything else. */
export function markedError(line: JsonObject): Marked | null {
  const kind = str(line, 'error') ?? null;
  if (str(line, 'message', 'model') !== '<synthetic>' || (kind === null && !bool(line, 'is_api_error_message')))
    return null;
  return {
    kind,
    status: num(line, 'api_error_status') ?? null,
    text: str(arr(line, 'message', 'content')?.[0], 'text') ?? '',
  };
}

/** What the program itself says about its failure. */
function failureText(result: JsonObject, marked: Marked | null): string {
  const errors = (arr(result, 'errors') ?? []).filter((one) => typeof one === 'string').join('\n');
  const { error } = result;
  const told = typeof error === 'string' ? error : str(error, 'message');
  const words = [str(result, 'result'), errors, told, marked?.text, str(result, 'subtype')];
  return words.find((one) => one !== undefined && one !== '') ?? 'the turn failed';
}

function evidence(result: JsonObject, marked: Marked | null, limit: PlanLimit): Evidence {
  return {
    status: num(result, 'api_error_status') ?? marked?.status ?? null,
    kind: marked?.kind ?? null,
    message: failureText(result, marked),
    planExhausted: limit.exhausted,
  };
}

/**
 * Never trusts `subtype`: after a 401 it says success (claude 2.1.332). Where the program's own lines disagree, the error
 * counts, and its text is not an answer.
 * @param marked an error that no answer followed
 * @param limit what the account's plan said
 */
export function outcomeOf(
  program: StreamProgram,
  result: JsonObject,
  marked: Marked | null,
  limit: PlanLimit,
  spent: Usage,
): Outcome {
  const models = spent.models();
  const peak = spent.peak();
  const figures = {
    ...(models === undefined ? {} : { modelUsage: models }),
    ...(peak === undefined ? {} : { peakContextTokens: peak }),
  };
  const failed =
    (bool(result, 'is_error') ?? true) ||
    marked !== null ||
    (result['error'] ?? null) !== null ||
    (arr(result, 'errors') ?? []).length > 0 ||
    /^error/.test(str(result, 'subtype') ?? '');
  switch (str(result, 'subtype')) {
    case 'error_max_turns':
      return { ok: true, stopReason: 'max_turns', ...figures };
    case 'error_max_budget_usd':
      return { ok: false, code: 'budget', message: failureText(result, null) };
    case 'error_max_structured_output_retries':
      return { ok: false, code: 'output-schema', message: failureText(result, null) };
  }
  const stopReason = str(result, 'stop_reason');
  if (stopReason === 'refusal') return { ok: true, stopReason: 'refusal', ...figures };
  if (stopReason === 'max_tokens' || (failed && marked?.kind === 'max_output_tokens')) {
    return { ok: true, stopReason: 'max_tokens', ...figures };
  }
  if (failed) {
    const failure = program.failure(evidence(result, marked, limit));
    const isLimit = limit.exhausted && (failure.code === 'quota' || failure.code === 'rate-limited');
    return { ok: false, ...failure, ...(isLimit && limit.resetsAt !== null ? { resetsAt: limit.resetsAt } : {}) };
  }
  const text = str(result, 'result');
  const structured: Json | undefined = result['structured_output'] ?? result['structured_result'];
  return {
    ok: true,
    stopReason: 'end_turn',
    ...(text === undefined || text === '' ? {} : { text }),
    ...(structured === undefined || structured === null ? {} : { structured }),
    ...figures,
  };
}
