/** Usage arithmetic: whatever a runtime counts, callers get deltas that are never negative and never invented. */

import type { Totals, UsageEvent } from '../contract/event.js';
import type { SpendScope, Spent } from '../runner/action.js';

type Field = 'input' | 'output' | 'cached' | 'costUsd';
const FIELDS: readonly Field[] = ['input', 'output', 'cached', 'costUsd'];
type Figures = Record<Field, number | null>;

const unknown = (): Figures => ({ input: null, output: null, cached: null, costUsd: null });
const figures = (spent: Spent): Figures => ({
  input: spent.input,
  output: spent.output,
  cached: spent.cached ?? null,
  costUsd: spent.costUsd,
});

const tellable = (value: number): boolean => value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** Tokens as they can be told: whole, as hosts read them as integers; null for what is negative or absurd. */
export const wholeTokens = (value: number): number | null => (tellable(value) ? Math.trunc(value) : null);

function countable(field: Field, value: number | null): number | null {
  if (value === null || !tellable(value)) return null;
  return field === 'costUsd' ? value : wholeTokens(value);
}

/** Cents of rounding noise don't make a delta. */
const round = (value: number) => Math.round(value * 1e9) / 1e9;

export interface Ledger {
  /** Takes a report; returns the delta of the report before it, which is now due. */
  spend(scope: SpendScope, spent: Spent): UsageEvent | null;
  baseline(scope: SpendScope, spent: Spent): void;
  /** A new process of the same turn starts counting from nothing. */
  newProcess(): void;
  /** The delta held back, due directly before the end. */
  last(): UsageEvent | null;
  totals(): Totals;
  /** Whether anything is known. */
  known(): boolean;
}

/** @returns an empty ledger for one turn */
export function ledger(): Ledger {
  const total = unknown();
  let base = unknown();
  const told = unknown();
  const baselines: Partial<Record<SpendScope, Figures>> = {};
  let held = false;

  /** What was not told yet of these totals. */
  const due = (totals: Figures): UsageEvent | null => {
    const delta = unknown();
    let any = false;
    for (const field of FIELDS) {
      const now = totals[field];
      if (now === null) continue;
      const before = told[field];
      const grown = round(Math.max(0, now - (before ?? 0)));
      if (before === null || grown > 0) any = true;
      delta[field] = grown;
      told[field] = Math.max(now, before ?? now);
    }
    if (!any) return null;
    return {
      v: 1,
      type: 'usage',
      input_tokens: delta.input,
      output_tokens: delta.output,
      ...(delta.cached === null ? {} : { cached_tokens: delta.cached }),
      cost_usd: delta.costUsd,
    };
  };

  /** A running total that fell can't take back what was told: a host may read the deltas or the totals. */
  const sofar = (field: Field): number | null => {
    const now = total[field];
    return now === null ? null : round(Math.max(now, told[field] ?? 0));
  };

  /**
   * Whether a report is about another model call than the one held back. A call always has input: what only adds output,
   * a cost or what was unknown (claude tells the cost of an interrupted turn last) completes the report that is held.
   */
  const isAnother = (before: Figures): boolean => {
    const field = FIELDS.find((one) => total[one] !== null);
    if (field === undefined) return false;
    const [was, now] = [before[field], total[field]];
    return was !== null && now !== null && round(now - was) > 0;
  };

  return {
    spend(scope, spent) {
      const before = { ...total };
      const now = figures(spent);
      for (const field of FIELDS) {
        const value = countable(field, now[field]);
        if (value === null) continue;
        if (scope === 'delta') {
          total[field] = (total[field] ?? 0) + value;
          continue;
        }
        const start = baselines[scope];
        // A session's running total says nothing about this turn until its start is known.
        if (scope === 'session' && (!start || start[field] === null)) continue;
        total[field] = Math.max(0, (base[field] ?? 0) + value - (start?.[field] ?? 0));
      }
      const report = held && isAnother(before) ? due(before) : null;
      held = true;
      return report;
    },
    baseline(scope, spent) {
      baselines[scope] = figures(spent);
    },
    newProcess() {
      base = { ...total };
      delete baselines.process;
      delete baselines.turn;
    },
    last() {
      held = false;
      return due(total);
    },
    totals: () => ({
      input_tokens: sofar('input'),
      output_tokens: sofar('output'),
      cached_tokens: sofar('cached'),
      cost_usd: sofar('costUsd'),
    }),
    known: () => FIELDS.some((field) => total[field] !== null),
  };
}
