/** The `result` event of a turn that ended by itself or at its round limit. */

import type { AgentLaunches, ModelUsage, ResultEvent, Totals } from '../contract/event.js';
import { LIMITS } from '../contract/limits.js';
import type { Json, StopReason } from '../contract/vocabulary.js';
import type { Outcome } from '../runner/action.js';
import { fitJson, jsonBytes } from './clamp.js';
import { wholeTokens } from './ledger.js';
import type { FinalText } from './messages.js';

/** Two copies of the text and the rest must stay under one line. */
const EACH = Math.floor((LIMITS.eventLine - 16 * 1024) / 2);

/** Of JSON: it stands in `result` three times. */
const LARGE = 128 * 1024;

/** Tokens past which answers get worse and dearer (the public protocol's figure). */
const LARGE_CONTEXT = 200_000;

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

/** With a schema `output` is the JSON text. A large value leaves no room for it and for the text beside it. */
function structuredFields(structured: Json | undefined): Partial<ResultEvent> {
  if (structured === undefined) return {};
  const output = JSON.stringify(structured);
  if (output.length <= LARGE) return { structured, output };
  return { structured, text: undefined, output: undefined, text_omitted: true };
}

/** A model with a figure that can't be told is left out: its entry has no room for an unknown. */
function modelUsage(told: Record<string, ModelUsage> | undefined): Partial<ResultEvent> {
  const models = Object.entries(told ?? {}).flatMap(([model, figures]) => {
    const [input, output, cache_read, cache_creation] = [
      figures.input,
      figures.output,
      figures.cache_read,
      figures.cache_creation,
    ].map(wholeTokens);
    if (input == null || output == null || cache_read == null || cache_creation == null) return [];
    return [[model, { input, output, cache_read, cache_creation }] as const];
  });
  return models.length > 0 ? { model_usage: Object.fromEntries(models) } : {};
}

function peakContext(told: number | undefined): Partial<ResultEvent> {
  const peak = told === undefined ? null : wholeTokens(told);
  if (peak === null) return {};
  return { peak_context_tokens: peak, ...(peak > LARGE_CONTEXT ? { context_warning: true } : {}) };
}

function agentLaunches(launches: AgentLaunches): Partial<ResultEvent> {
  return launches.total === 0 ? {} : { agent_launches: launches };
}

export function resultEvent(options: {
  stopReason: StopReason;
  outcome: Extract<Outcome, { ok: true }> | null;
  final: FinalText | null;
  incremental: boolean;
  totals: Totals;
  launches: AgentLaunches;
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
    ...structuredFields(outcome?.structured),
    input_tokens: totals.input_tokens,
    output_tokens: totals.output_tokens,
    cost_usd: totals.cost_usd,
    ...modelUsage(outcome?.modelUsage),
    ...(unexpected.length > 0 ? { unexpected_models: unexpected } : {}),
    ...(outcome?.effort === undefined ? {} : { effort: outcome.effort }),
    ...agentLaunches(options.launches),
    ...peakContext(outcome?.peakContextTokens),
  };
}

/** An alias ("sonnet") or a provider prefix ("openai/x") is no other model. */
function sameModel(requested: string, actual: string): boolean {
  const short = (name: string) => name.toLowerCase().split('/').pop() ?? name;
  const a = short(requested);
  const b = short(actual);
  return a === b || b.includes(a) || a.includes(b);
}
