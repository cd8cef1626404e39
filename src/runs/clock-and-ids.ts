/** What nobody can foresee: the time, fresh ids, the readings in events. A trace gives back what its recording was given. */

import { randomUUID } from 'node:crypto';
import type { Event } from '../contract/event.js';

export interface Given {
  /** Milliseconds since 1970. */
  now(): number;
  /** A fresh UUID. */
  id(): string;
  /** The event with the readings it is to have. */
  event(event: Event): Event;
}

/** What one request was given, in order. */
export interface Taken {
  now: number[];
  ids: string[];
}

export interface RecordedGiven extends Given {
  readonly taken: Taken;
}

/** The machine's clock and ids; what was given is kept only when `keep` is set. */
export function liveGiven(keep = false): RecordedGiven {
  const taken: Taken = { now: [], ids: [] };
  return {
    taken,
    now() {
      const now = Date.now();
      if (keep) taken.now.push(now);
      return now;
    },
    id() {
      const id = randomUUID();
      if (keep) taken.ids.push(id);
      return id;
    },
    event: (event) => event,
  };
}

/** Pids and durations: what differs from run to run although nothing else does. */
function withReadings(event: Event, recorded: Event | undefined): Event {
  if (!recorded || recorded.type !== event.type) return event;
  if (event.type === 'start' && recorded.type === 'start') {
    const child =
      event.child_pid === undefined || recorded.child_pid === undefined ? {} : { child_pid: recorded.child_pid };
    return { ...event, pid: recorded.pid, ...child };
  }
  if (event.type === 'done' && recorded.type === 'done') return { ...event, duration_ms: recorded.duration_ms };
  if (event.type === 'tool_activity' && recorded.type === 'tool_activity') {
    if (event.phase === 'end' && recorded.phase === 'end') return { ...event, duration_ms: recorded.duration_ms };
  }
  return event;
}

/** The values of a recording, in order; fresh ones when it has no more. */
export function replayGiven(taken: Taken, events: readonly Event[]): Given {
  const now = taken.now.values();
  const ids = taken.ids.values();
  const readings = events.values();
  let last = 0;
  return {
    now() {
      last = now.next().value ?? last;
      return last;
    },
    id: () => ids.next().value ?? randomUUID(),
    event: (event) => withReadings(event, readings.next().value),
  };
}
