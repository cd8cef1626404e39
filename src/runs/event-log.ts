/**
 * The events of one run. A number is given before anybody hears of an event, so every reader sees the same order; readers
 * pull, so one that stalls holds up nobody and loses nothing.
 */

import type { Event } from '../contract/event.js';
import { eventLine } from '../text/event-line.js';
import type { LogEntry } from './records.js';
import type { Store } from './store/store.js';

/** Entries kept at hand for readers that keep up. */
const TAIL = 1024;
const BATCH = 256;

export interface EventLog {
  /** @returns the event's number */
  append(event: Event): number;
  /** Nothing follows. */
  close(): void;
  readonly last: number;
  /** Bytes (nearly: UTF-16 units) appended so far. */
  readonly size: number;
  readonly closed: boolean;
  read(after: number): LogEntry[];
  /** Resolves when something was appended after that number, or the log is closed. */
  more(after: number): Promise<void>;
}

export function eventLog(
  run: string,
  store: Store,
  begun: { last: number; closed: boolean } = { last: 0, closed: false },
): EventLog {
  let { last, closed } = begun;
  let size = 0;
  let tail: LogEntry[] = [];
  let waiting: (() => void)[] = [];
  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  return {
    append(event) {
      last += 1;
      const entry = { seq: last, json: eventLine(event).slice(0, -1) };
      size += entry.json.length;
      store.append(run, entry);
      tail.push(entry);
      if (tail.length > 2 * TAIL) tail = tail.slice(-TAIL);
      wake();
      return last;
    },
    close() {
      closed = true;
      tail = [];
      wake();
    },
    get last() {
      return last;
    },
    get size() {
      return size;
    },
    get closed() {
      return closed;
    },
    read(after) {
      const first = tail[0]?.seq ?? Number.POSITIVE_INFINITY;
      if (after + 1 >= first) return tail.slice(after + 1 - first, after + 1 - first + BATCH);
      return after >= last ? [] : store.events(run, after, BATCH);
    },
    more(after) {
      if (last > after || closed) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** What a reader of a log gets: an event, or the word that some are no longer there. */
export type Followed = { entry: LogEntry } | { gap: { from: number; to: number } };

export interface FollowOptions {
  /** The last number that is known already. */
  after: number;
  /** Whether to wait for what comes. */
  follow: boolean;
  /** Ends the waiting. */
  signal?: AbortSignal;
}

/** Reads from a cursor on, to the end of what is there or of the run. */
export async function* follow(log: EventLog, options: FollowOptions): AsyncGenerator<Followed> {
  const { signal } = options;
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  signal?.addEventListener('abort', leave, { once: true });
  try {
    yield* entries(log, options, left);
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

async function* entries(log: EventLog, options: FollowOptions, left: Promise<void>): AsyncGenerator<Followed> {
  const { signal } = options;
  let { after } = options;
  while (!signal?.aborted) {
    const some = log.read(after);
    for (const entry of some) {
      if (signal?.aborted) return;
      if (entry.seq > after + 1) yield { gap: { from: after + 1, to: entry.seq - 1 } };
      after = entry.seq;
      yield { entry };
    }
    if (some.length > 0) continue;
    if (after < log.last) {
      yield { gap: { from: after + 1, to: log.last } };
      after = log.last;
      continue;
    }
    if (log.closed || !options.follow) return;
    await Promise.race([log.more(after), left]);
  }
}
