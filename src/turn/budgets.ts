/** What a turn may use up: money, tokens and tool calls, those of its subagents included. */

import type { Totals } from '../contract/event.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';

export interface Budgets {
  /** A native or a caller's tool call has begun. */
  called(): void;
  /** @returns why the turn must end, or null */
  passed(totals: Totals): string | null;
}

/** Tokens of both directions; null while none are known. */
function tokens({ input_tokens, output_tokens }: Totals): number | null {
  return input_tokens === null && output_tokens === null ? null : (input_tokens ?? 0) + (output_tokens ?? 0);
}

export function budgets({ budgetUsd, budgetTokens, maxToolCalls }: TurnRequest): Budgets {
  let calls = 0;
  return {
    called() {
      calls++;
    },
    passed(totals) {
      const { cost_usd: cost } = totals;
      const used = tokens(totals);
      if (budgetUsd !== null && cost !== null && cost > budgetUsd) {
        return `the turn has cost $${cost}, more than the budget of $${budgetUsd}`;
      }
      if (budgetTokens != null && used !== null && used > budgetTokens) {
        return `the turn has used ${used} tokens, more than the budget of ${budgetTokens}`;
      }
      if (maxToolCalls != null && calls > maxToolCalls) {
        return `the turn has begun ${calls} tool calls, more than the ${maxToolCalls} of --max-tool-calls`;
      }
      return null;
    },
  };
}

/** Budgets that could not be checked in a turn that has ended well, for people. */
export function unchecked(request: TurnRequest, runner: Runner, totals: Totals): string[] {
  const { budgetUsd, budgetTokens } = request;
  return [
    // What a runner without any cost means for the budget was said at the start.
    ...(budgetUsd !== null && runner.reportsCost && totals.cost_usd === null
      ? [`${runner.id} reported no cost in this turn; --budget-usd was not checked`]
      : []),
    ...(budgetTokens != null && tokens(totals) === null
      ? [`${runner.id} reported no tokens in this turn; --budget-tokens was not checked`]
      : []),
  ];
}
