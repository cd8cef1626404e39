/** How a turn ended, in the words of chat completions. */

import type { JsonObject, StopReason } from '../../contract/vocabulary.js';
import type { Used } from './pieces.js';

export type Finish = 'stop' | 'length' | 'content_filter' | 'tool_calls';

export function finishOf(reason: StopReason): Finish {
  switch (reason) {
    case 'max_tokens':
    case 'max_turns':
    case 'tool_round_cap':
    case 'budget':
      return 'length';
    case 'refusal':
      return 'content_filter';
    case 'end_turn':
    case 'error':
    case 'cancelled':
    case 'interrupted':
    case 'timeout':
      return 'stop';
    default: {
      const never: never = reason;
      return never;
    }
  }
}

/**
 * Left out unless both counts are known: these APIs can't say "unknown", and clients add up what stands there.
 * @returns undefined when it is left out
 */
export function chatUsage({ input, output, cached }: Used): JsonObject | undefined {
  if (input === null || output === null) return undefined;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === null ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
