/** What runs used, by group. */

import { addKnown } from '../text/json.js';
import type { RunRecord } from './records.js';

export const SPENT_BY = ['runtime', 'model', 'session', 'day'] as const;
export type SpentBy = (typeof SPENT_BY)[number];

function keyOf(run: RunRecord, by: SpentBy): string {
  switch (by) {
    case 'runtime':
      return run.runtime;
    case 'model':
      return run.model ?? `${run.runtime} (its own choice)`;
    case 'session':
      return run.session_id;
    case 'day':
      return new Date(run.created_at).toISOString().slice(0, 10);
    default: {
      const never: never = by;
      throw new Error(`unknown group ${String(never)}`);
    }
  }
}

export interface Spent {
  key: string;
  runs: number;
  /** Runs whose cost nobody knows: the sum is at least what is shown. */
  unknown_cost: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

/** The dearest group first; figures that nobody reported stay null. */
export function spent(runs: readonly RunRecord[], by: SpentBy): Spent[] {
  const groups = new Map<string, Spent>();
  for (const run of runs) {
    const key = keyOf(run, by);
    const group = groups.get(key) ?? {
      key,
      runs: 0,
      unknown_cost: 0,
      input_tokens: null,
      output_tokens: null,
      cost_usd: null,
    };
    groups.set(key, group);
    group.runs += 1;
    if (run.cost_usd === null) group.unknown_cost += 1;
    group.input_tokens = addKnown(group.input_tokens, run.input_tokens);
    group.output_tokens = addKnown(group.output_tokens, run.output_tokens);
    group.cost_usd = addKnown(group.cost_usd, run.cost_usd);
  }
  return [...groups.values()].sort((a, b) => (b.cost_usd ?? -1) - (a.cost_usd ?? -1) || (a.key < b.key ? -1 : 1));
}
