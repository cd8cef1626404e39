/** Tokens as clients of the gateway count them: over the whole session, cached input apart. Unknown is null. */

import type { Totals } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { RunRecord } from '../../runs/records.js';
import { addKnown } from '../../text/json.js';

export interface Spent {
  totals: Totals | null;
  /** Turns that are over. */
  turns: number;
}

export const NOTHING: Spent = { totals: null, turns: 0 };

export function add(spent: Spent, more: Totals | null): Spent {
  const turns = spent.turns + 1;
  if (more === null) return { ...spent, turns };
  const { totals } = spent;
  return {
    turns,
    totals: {
      input_tokens: addKnown(totals?.input_tokens, more.input_tokens),
      output_tokens: addKnown(totals?.output_tokens, more.output_tokens),
      cached_tokens: addKnown(totals?.cached_tokens, more.cached_tokens),
      cost_usd: addKnown(totals?.cost_usd, more.cost_usd),
    },
  };
}

/** With what a run used that is over. */
export const after = (spent: Spent, run: RunRecord): Spent => add(spent, totalsOf(run));

/** What runs used that are over. */
export const spentIn = (runs: readonly RunRecord[]): Spent =>
  runs.filter(({ ended_at }) => ended_at !== null).reduce(after, NOTHING);

function totalsOf({ input_tokens, output_tokens, cached_tokens, cost_usd }: RunRecord): Totals | null {
  if (input_tokens === null && output_tokens === null && cost_usd === null) return null;
  return { input_tokens, output_tokens, cached_tokens, cost_usd };
}

/** @param model as far as it is known */
export function usageShown({ totals, turns }: Spent, model: string | null): JsonObject {
  if (turns === 0) return { model, calls: 0, input: 0, output: 0, total: 0 };
  const prompt = totals?.input_tokens ?? null;
  const completion = totals?.output_tokens ?? null;
  const cached = totals?.cached_tokens ?? null;
  return {
    model,
    input: prompt === null ? null : prompt - (cached ?? 0),
    output: completion,
    reasoning: null,
    prompt,
    completion,
    total: prompt === null || completion === null ? null : prompt + completion,
    cache_read: cached,
    cost_usd: totals?.cost_usd ?? null,
    // Programs do not report how often they called the model: these are turns.
    calls: turns,
  };
}
