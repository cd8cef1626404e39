/** How a turn ended → the answer to its prompt. */

import type { PromptResponse, StopReason } from '@agentclientprotocol/sdk/unstable';
import type { DoneEvent, ErrorEvent } from '../../contract/event.js';
import { failure } from './errors.js';

function stopReason(done: DoneEvent): StopReason | null {
  switch (done.stop_reason) {
    case 'end_turn':
    case 'tool_round_cap':
      return 'end_turn';
    case 'max_tokens':
    case 'refusal':
    case 'cancelled':
      return done.stop_reason;
    case 'max_turns':
    case 'budget':
      return 'max_turn_requests';
    case 'error':
    case 'interrupted':
    case 'timeout':
      return null;
    default: {
      const never: never = done.stop_reason;
      return never;
    }
  }
}

/** Tokens only where both are known: the protocol has no word for unknown. Its kinds are added up, ours count the cached ones as input. */
function usage(done: DoneEvent): Pick<PromptResponse, 'usage'> {
  const { input_tokens: input, output_tokens: output, cached_tokens: cached } = done.totals ?? {};
  if (typeof input !== 'number' || typeof output !== 'number') return {};
  return {
    usage: {
      totalTokens: input + output,
      inputTokens: typeof cached === 'number' ? Math.max(0, input - cached) : input,
      outputTokens: output,
      ...(typeof cached === 'number' ? { cachedReadTokens: cached } : {}),
    },
  };
}

/**
 * @param cancelled whether the client asked for the end; then nothing else counts
 * @throws RequestError
 */
export function answer(
  run: string,
  ended: { done: DoneEvent; error: ErrorEvent | null },
  cancelled: boolean,
): PromptResponse {
  const { done, error } = ended;
  const reason = cancelled ? 'cancelled' : stopReason(done);
  if (reason === null || (error !== null && !cancelled && error.code !== 'cancelled' && error.code !== 'budget')) {
    throw failure(error ?? { code: 'runner-error', message: 'the turn failed without saying why' });
  }
  const cost = done.totals?.cost_usd;
  return {
    stopReason: reason,
    ...usage(done),
    _meta: { turnout: { run_id: run, ...(typeof cost === 'number' ? { cost_usd: cost } : {}) } },
  };
}
