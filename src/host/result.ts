/** What a turn came to, gathered from its events. */

import { TurnoutError } from '../contract/error.js';
import type { Event, Totals } from '../contract/event.js';
import type { Json, StopReason } from '../contract/vocabulary.js';

/** How a turn ended, in one object. */
export interface TurnResult {
  /** Exit code 0. */
  ok: boolean;
  exitCode: number;
  stopReason: StopReason;
  /** The agent's last message, whole; null when there was none. */
  text: string | null;
  /** The parsed answer with `outputSchema`. */
  structured?: Json;
  /** For `resume`; null when the runtime told none. */
  sessionId: string | null;
  /** Why the turn failed; null when it did not. */
  error: TurnoutError | null;
  /** Tokens and cost; unknown is null. */
  totals: Totals;
  durationMs: number;
}

const UNKNOWN: Totals = { input_tokens: null, output_tokens: null, cached_tokens: null, cost_usd: null };

export interface Collector {
  hear(event: Event): void;
  /** Call it once `done` was heard. */
  result(): TurnResult;
}

export function collector(): Collector {
  let message: { id: string; pieces: string[] } | null = null;
  let text: string | null = null;
  let structured: Json | undefined;
  let sessionId: string | null = null;
  let error: TurnoutError | null = null;
  let end: Extract<Event, { type: 'done' }> | null = null;

  return {
    hear(event) {
      switch (event.type) {
        case 'session':
          sessionId = event.session_id;
          return;
        case 'assistant':
          if (event.parent_tool_use_id !== undefined || event.text === '') return;
          if (message?.id === event.message_id) message.pieces.push(event.text);
          else if (!message || event.replaces !== undefined || event.text.trim() !== '') {
            message = { id: event.message_id, pieces: [event.text] };
          }
          return;
        case 'result':
          text = event.output ?? event.text ?? null;
          structured = event.structured;
          return;
        case 'error':
          if (event.code === 'bad-frame') return;
          error = new TurnoutError(event.code, event.message, event.hint === undefined ? {} : { hint: event.hint });
          return;
        case 'done':
          end = event;
          return;
        default:
          return;
      }
    },
    result() {
      const exitCode = end?.exit_code ?? 1;
      const stopReason = end?.stop_reason ?? 'error';
      if (error === null && exitCode !== 0) {
        error = new TurnoutError('runner-error', `the turn ended with ${stopReason}`);
      }
      return {
        ok: exitCode === 0,
        exitCode,
        stopReason,
        // Left out of `result` where it is long and came as deltas.
        text: text ?? message?.pieces.join('') ?? null,
        ...(structured === undefined ? {} : { structured }),
        sessionId,
        error,
        totals: end?.totals ?? UNKNOWN,
        durationMs: end?.duration_ms ?? 0,
      };
    },
  };
}
