/** How long sessions are kept, and the clock that forgets them. */

import { CoreError } from './failure.js';
import type { Store } from './store/store.js';
import { reasonOf, StoreError } from './store/store-error.js';

const DAY = 24 * 60 * 60 * 1000;

export interface Keeping {
  /** Milliseconds since its last use after which a session is forgotten; null: never. */
  keepMs: number | null;
  /** Bytes of all sessions together, beyond which the longest unused are forgotten; null: any. */
  maxBytes: number | null;
}

export const KEEP_DAYS = 90;
export const MAX_BYTES = 1024 ** 3;
export const KEEPING: Keeping = { keepMs: KEEP_DAYS * DAY, maxBytes: MAX_BYTES };
/** Idempotency keys: milliseconds. */
export const KEYS_MS = DAY;
const EVERY_MS = 60 * 60 * 1000;

export const daysInMs = (days: number): number | null => (days === 0 ? null : days * DAY);

/**
 * Forgets now and every hour.
 * @param complain hears why it could not be done; the next hour tries again
 * @returns ends it
 */
export function retention(store: Store, complain: (line: string) => void, keeping: Keeping = KEEPING): () => void {
  let busy = false;
  async function sweep(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      await store.sweep({ now: Date.now(), keysMs: KEYS_MS, ...keeping });
    } catch (error) {
      if (!(error instanceof StoreError || error instanceof CoreError)) throw error;
      complain(`old sessions can't be forgotten: ${reasonOf(error)}`);
    } finally {
      busy = false;
    }
  }
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
