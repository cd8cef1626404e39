/** A run's events → reply lines, as fast as the reader takes them. */

import type { EventLog } from '../../runs/event-log.js';
import { type FollowOptions, follow } from '../../runs/event-log.js';
import type { Run } from '../../runs/run.js';
import type { Reply } from './reply.js';

/** How far the caller may be behind before the runtime is held back, and from where on it goes on. UTF-16 units. */
const HIGH = 4 * 1024 * 1024;
const LOW = 1024 * 1024;

/**
 * @param owned the run that waits for this reader; a run that others started is never held back
 * @returns the number of the last event that was passed on
 */
export async function passOn(log: EventLog, options: FollowOptions, reply: Reply, owned: Run | null): Promise<number> {
  let taken = 0;
  let paused = false;
  let last = options.after;
  let over = false;
  const watch = async () => {
    // Looks at every event, also while the reader stalls.
    for (let seen = options.after; !over && !log.closed; seen = log.last) {
      await log.more(seen);
      if (!over && !paused && log.size - taken > HIGH) {
        paused = true;
        owned?.pause();
      }
    }
  };
  const watching = owned ? watch() : null;
  try {
    for await (const one of follow(log, { ...options, signal: reply.signal })) {
      if ('gap' in one) {
        reply.gap(one.gap.from, one.gap.to);
        continue;
      }
      reply.event(one.entry.json, one.entry.seq);
      last = one.entry.seq;
      await reply.ready();
      taken += one.entry.json.length;
      if (paused && log.size - taken < LOW) {
        paused = false;
        owned?.resume();
      }
    }
  } finally {
    over = true;
    if (paused) owned?.resume();
  }
  void watching;
  return last;
}
