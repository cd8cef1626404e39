/** Reads token counts out of the answer to `session/prompt`. */

import type { Json } from '../../../src/contract/vocabulary.js';
import type { Spent } from '../../../src/runner/action.js';
import { num, obj } from '../../../src/text/json.js';

export interface Tokens {
  spent: Spent;
  /** Models that answered. */
  models?: readonly string[];
}

/** @param calls model calls of the main agent found in the log, null without a log */
export type TokenReader = (result: Json, calls: number | null) => Tokens | null;

/** The draft's `usage` with cached tokens counted apart, as nanocoder, claude-agent-acp and codex-acp give it: the whole turn. */
export const usageOfTurn: TokenReader = (result) => {
  const usage = obj(result, 'usage');
  const input = num(usage, 'inputTokens');
  const output = num(usage, 'outputTokens');
  if (input === undefined || output === undefined) return null;
  const read = num(usage, 'cachedReadTokens');
  const cached = (read ?? 0) + (num(usage, 'cachedWriteTokens') ?? 0);
  // A cancelled turn of opencode's: not counted, and not free.
  if (input + output + cached === 0) return null;
  return {
    spent: {
      input: input + cached,
      output: output + (num(usage, 'thoughtTokens') ?? 0),
      ...(read === undefined ? {} : { cached: read }),
      costUsd: null,
    },
  };
};

/** The same fields with cached tokens among the input and thoughts among the output (hermes 0.19, vibe 3.0): the whole turn. */
export const usageWithCached: TokenReader = (result) => {
  const input = num(result, 'usage', 'inputTokens');
  const output = num(result, 'usage', 'outputTokens');
  if (input === undefined || output === undefined || input + output === 0) return null;
  return { spent: { input, output, cached: num(result, 'usage', 'cachedReadTokens') ?? null, costUsd: null } };
};

/** The same with reasoning counted among the output already, as codex-acp 2.6 passes the vendor's figures on. */
export const usageWithThoughts: TokenReader = (result, calls) => {
  const whole = usageOfTurn(result, calls);
  const output = num(result, 'usage', 'outputTokens');
  return whole === null || output === undefined ? null : { spent: { ...whole.spent, output } };
};

/** The same fields, but of the last model call alone (opencode 1.18): true only for a turn of one call. */
export const usageOfLastCall: TokenReader = (result, calls) => (calls === 1 ? usageOfTurn(result, calls) : null);
