/** The `result` event of a turn that ended by itself or at its round limit. */

import type { ResultEvent, Totals } from '../contract/event.js';
import { LIMITS } from '../contract/limits.js';
import type { StopReason } from '../contract/vocabulary.js';
import type { Outcome } from '../runner/action.js';
import { fitJson, jsonBytes } from './clamp.js';
import type { FinalText } from './messages.js';

/** Two copies of the text and the rest must stay under one line. */
const EACH = Math.floor((LIMITS.eventLine - 16 * 1024) / 2);

function textFields(final: FinalText | null, incremental: boolean): Partial<ResultEvent> {
  if (final === null) return {};
  const tooLong =
    final.cut ||
    Buffer.byteLength(final.text) > LIMITS.resultText ||
    (final.text.length * 6 > EACH && jsonBytes(final.text) > EACH);
  if (!tooLong) return { text: final.text, output: final.text };
  if (incremental) return { text_omitted: true };
  const { text } = fitJson(final.text, EACH);
  return { text, output: text, text_truncated: true, output_truncated: true };
}

export function resultEvent(options: {
  stopReason: StopReason;
  outcome: Extract<Outcome, { ok: true }> | null;
  final: FinalText | null;
  incremental: boolean;
  totals: Totals;
  requestedModel: string | null;
  models: ReadonlySet<string>;
}): ResultEvent {
  const { outcome, totals, requestedModel } = options;
  const failed = options.stopReason === 'max_turns';
  const final = options.final ?? (outcome?.text ? { text: outcome.text, cut: false } : null);
  const unexpected =
    requestedModel === null ? [] : [...options.models].filter((model) => !sameModel(requestedModel, model));
  return {
    v: 1,
    type: 'result',
    subtype: failed ? 'error' : 'success',
    is_error: failed,
    stop_reason: options.stopReason,
    ...textFields(final, options.incremental),
    ...(outcome?.structured === undefined ? {} : { structured: outcome.structured }),
    input_tokens: totals.input_tokens,
    output_tokens: totals.output_tokens,
    cost_usd: totals.cost_usd,
    ...(outcome?.modelUsage ? { model_usage: outcome.modelUsage } : {}),
    ...(unexpected.length > 0 ? { unexpected_models: unexpected } : {}),
    ...(outcome?.effort === undefined ? {} : { effort: outcome.effort }),
    ...(outcome?.peakContextTokens === undefined ? {} : { peak_context_tokens: outcome.peakContextTokens }),
  };
}

/** An alias ("sonnet") or a provider prefix ("openai/x") is no other model. */
function sameModel(requested: string, actual: string): boolean {
  const short = (name: string) => name.toLowerCase().split('/').pop() ?? name;
  const a = short(requested);
  const b = short(actual);
  return a === b || b.includes(a) || a.includes(b);
}
