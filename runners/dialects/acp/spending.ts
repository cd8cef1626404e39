/** Puts what a turn has cost together with its tokens, so that a report holds all that is known. */

import type { Json } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { num, str } from '../../../src/text/json.js';
import type { Quirks } from './quirks.js';
import type { Tokens } from './tokens.js';

export interface Spending {
  /** A `usage_update` of a replayed history: spent before this turn. */
  before(update: Json): void;
  /** A `usage_update` of this turn. */
  update(update: Json): Action[];
  /** @param tokens of the whole turn, null when unknown */
  end(tokens: Tokens | null): Action[];
  /** What the session has cost so far; null when unknown. */
  total(): number | null;
}

/** @param before what the session had cost before this turn; null when that is not known yet */
export function spending(quirks: Quirks, before: number | null): Spending {
  let base = before;
  let held: number | null = null;

  // 0 is what a model without a price costs: unknown. So is a total whose starting value is unknown.
  const cost = (update: Json): number | null => {
    const amount = num(update, 'cost', 'amount');
    return quirks.sessionCost && amount && str(update, 'cost', 'currency') === 'USD' ? amount : null;
  };
  const report = (costUsd: number, tokens: Tokens | null): Action => ({
    do: 'spend',
    scope: 'turn',
    spent: tokens === null ? { input: null, output: null, costUsd } : { ...tokens.spent, costUsd },
  });

  return {
    before(update) {
      base = cost(update) ?? base;
    },
    update(update) {
      const amount = cost(update);
      if (amount === null || base === null || amount <= base) return [];
      const last = held;
      held = amount - base;
      return last === null ? [] : [report(last, null)];
    },
    total: () => (base === null ? null : base + (held ?? 0)),
    end(tokens) {
      if (held !== null) return [report(held, tokens)];
      return tokens === null ? [] : [{ do: 'spend', scope: 'turn', spent: tokens.spent }];
    },
  };
}
