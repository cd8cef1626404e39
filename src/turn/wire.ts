/** What was seen of a turn's model calls on their way, where they pass through us. */

import type { Spent } from '../runner/action.js';
import type { Ledger } from './ledger.js';

export interface Wire {
  /** All answers so far, as a running total of the turn. */
  total(): Spent;
  /** @param listener hears of each answer, with the model that gave it */
  listen(listener: (model: string | null) => void): void;
}

/** A ledger that takes the wire's figures where the program reports none. */
export function wired(inner: Ledger, wire: Wire): Ledger {
  let fromWire = false;
  const take = (): void => {
    const { input_tokens: input, output_tokens: output } = inner.totals();
    if (!fromWire && (input !== null || output !== null)) return;
    const total = wire.total();
    if (total.input === null && total.output === null) return;
    fromWire = true;
    inner.spend('turn', total);
  };
  const after = <Value>(read: () => Value): Value => {
    take();
    return read();
  };
  return {
    ...inner,
    spend(scope, spent) {
      // Two counts of the same calls would add up.
      return inner.spend(scope, fromWire ? { ...spent, input: null, output: null, cached: null } : spent);
    },
    last: () => after(inner.last),
    totals: () => after(inner.totals),
    known: () => after(inner.known),
  };
}
