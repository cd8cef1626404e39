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

/** @returns undefined when the runtime reported nothing: these APIs have no way to say "unknown" but to leave it out */
export function chatUsage({ input, output, cached }: Used): JsonObject | undefined {
  if (input === null && output === null) return undefined;
  const prompt = input ?? 0;
  const completion = output ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached === null ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
