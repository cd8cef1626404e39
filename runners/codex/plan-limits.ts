/** The windows of an account's plan, as `account/rateLimits/read` and `/updated` give them (0.171.0). */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { QuotaFound } from '../../src/runner/listing.js';
import { num, obj, str } from '../../src/text/json.js';

const MINUTES_OF_5_HOURS = 300;
const MINUTES_OF_A_WEEK = 10_080;

function nameOf(which: string, minutes: number | undefined): string {
  if (minutes === MINUTES_OF_5_HOURS) return '5 hours';
  if (minutes === MINUTES_OF_A_WEEK) return '7 days';
  return minutes === undefined ? which : `${minutes} minutes`;
}

/** @param snapshot `rateLimits`; its windows may each be null */
export function windowsOf(snapshot: Json | undefined): QuotaFound[] {
  const limit = str(snapshot, 'limitName') ?? undefined;
  return ['primary', 'secondary'].flatMap((which): QuotaFound[] => {
    const window = obj(snapshot, which);
    if (window === undefined) return [];
    const [used, minutes, seconds] = [
      num(window, 'usedPercent'),
      num(window, 'windowDurationMins'),
      num(window, 'resetsAt'),
    ];
    const name = nameOf(which, minutes);
    return [
      {
        name: limit === undefined ? name : `${limit}, ${name}`,
        usedPercent: used ?? null,
        resetsAt: seconds === undefined ? null : seconds * 1000,
      },
    ];
  });
}

export interface PlanLimits {
  hear(params: Json): void;
  /** When the limit resets, in milliseconds since 1970; null when not reported. */
  resetsAt(): number | null;
}

export function planLimits(): PlanLimits {
  const snapshots = new Map<string, JsonObject>();
  return {
    hear(params) {
      const snapshot = obj(params, 'rateLimits');
      // Updates are sparse: what one leaves out still holds.
      const id = str(snapshot, 'limitId') ?? '';
      const told = Object.entries(snapshot ?? {}).filter(([, value]) => value !== null);
      snapshots.set(id, { ...snapshots.get(id), ...Object.fromEntries(told) });
    },
    resetsAt() {
      const full = [...snapshots.values()].flatMap(windowsOf).filter(({ usedPercent }) => (usedPercent ?? 0) >= 100);
      const times = full.flatMap(({ resetsAt }) => (typeof resetsAt === 'number' ? [resetsAt] : []));
      return times.length === 0 ? null : Math.max(...times);
    },
  };
}
