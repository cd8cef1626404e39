/**
 * Runs whose caller was asked something and has yet to come back with the answer (protocol 2026-07-28): the call is over,
 * the run waits. A handle that nobody could guess leads back to it, once.
 */

import { randomUUID } from 'node:crypto';
import type { Attendance } from '../../runs/ports.js';
import type { Watch } from './watch.js';

/** How long a person may think. A run whose caller does not come back is cancelled. */
export const PATIENCE_MS = 10 * 60 * 1000;

export interface Waiter {
  run: string;
  /** null when the run is over already. */
  attendance: Attendance | null;
  watch: Watch;
}

export interface Waiting {
  /** @returns the handle */
  put(waiter: Waiter): string;
  /** Null when there is no such handle (any more). */
  take(handle: string): Waiter | null;
  has(handle: string): boolean;
}

export function waiting(patienceMs: number = PATIENCE_MS): Waiting {
  const all = new Map<string, Waiter & { timer: NodeJS.Timeout }>();
  return {
    put(waiter) {
      const handle = randomUUID();
      const timer = setTimeout(() => {
        all.delete(handle);
        waiter.attendance?.leave();
      }, patienceMs);
      timer.unref();
      all.set(handle, { ...waiter, timer });
      return handle;
    },
    take(handle) {
      const found = all.get(handle);
      if (!found) return null;
      clearTimeout(found.timer);
      all.delete(handle);
      const { run, attendance, watch } = found;
      return { run, attendance, watch };
    },
    has: (handle) => all.has(handle),
  };
}
