/** How a turn ended, as `message.complete` says it. */

import type { DoneEvent, ErrorEvent, ResultEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';

export interface Ending {
  done: DoneEvent;
  error: ErrorEvent | null;
  result: ResultEvent | null;
  /** What was said since the last tool. */
  segment: string;
  reasoning: string;
}

/** Repeating the same prompt may help. */
const PASSING = new Set(['rate-limited', 'timeout', 'runner-error', 'interrupted', 'quota', 'output-schema']);

/** Where it failed: with the model's provider, the program, or us. */
function layerOf(code: string): string {
  if (['auth', 'quota', 'rate-limited', 'model-unavailable', 'context-full'].includes(code)) return 'provider';
  return code === 'interrupted' ? 'gateway' : 'runtime';
}

function failed(error: ErrorEvent | null, segment: string): JsonObject {
  const code = error === null ? 'runner-error' : error.code === 'interrupted' ? 'server_restarted' : error.code;
  const message = error?.message ?? 'The turn ended without an answer.';
  const retryable = error === null || (!error.fatal && PASSING.has(error.code));
  return {
    error: message,
    failure_reason: code,
    recoverable: retryable,
    partial: segment !== '',
    error_surface: {
      layer: layerOf(error?.code ?? 'runner-error'),
      code,
      retryable,
      ...(error?.hint === undefined ? {} : { hint: error.hint }),
      ...(error?.resets_at === undefined ? {} : { resets_at: error.resets_at }),
    },
  };
}

export function completed({ done, error, result, segment, reasoning }: Ending): JsonObject {
  const interrupted = done.stop_reason === 'cancelled';
  const status = interrupted ? 'interrupted' : done.exit_code === 0 ? 'complete' : 'error';
  return {
    text: (status === 'complete' ? result?.text : undefined) ?? segment,
    status,
    interrupted,
    stop_reason: done.stop_reason,
    duration_s: done.duration_ms / 1000,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(status === 'error' ? failed(error, segment) : {}),
  };
}
