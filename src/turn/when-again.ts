/** When a refused turn may be tried again, as far as the runtime tells. */

import type { ErrorEvent } from '../contract/event.js';
import type { Outcome } from '../runner/action.js';

/** The last moment that a date can name. */
const LAST_MS = 8.64e15;

/**
 * @param wall milliseconds since 1970; null where the time of day is not known (a turn that is replayed)
 * @returns the wait in milliseconds and the moment, each only where it follows from what was told
 */
export function whenAgain(
  outcome: Extract<Outcome, { ok: false }>,
  wall: number | null,
): Pick<ErrorEvent, 'retry_after_ms' | 'resets_at'> {
  const { retryAfterMs } = outcome;
  const resetsAt = typeof outcome.resetsAt === 'string' ? Date.parse(outcome.resetsAt) : outcome.resetsAt;
  const known = resetsAt !== undefined && resetsAt > 0 && resetsAt <= LAST_MS;
  const wait = retryAfterMs ?? (known && wall !== null ? Math.max(0, resetsAt - wall) : undefined);
  return {
    ...(wait === undefined || !Number.isFinite(wait) ? {} : { retry_after_ms: Math.round(wait) }),
    ...(known ? { resets_at: new Date(resetsAt).toISOString() } : {}),
  };
}
