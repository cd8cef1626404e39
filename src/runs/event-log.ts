/**
 * The log of a run that is worked on here. An event gets its number at once; readers see it when the store has made it
 * durable, so that a number that anybody was told is never given to another event.
 */

import type { Event } from '../contract/event.js';
import { entryLine } from './entry-line.js';
import { CoreError } from './failure.js';
import type { LogEntry } from './records.js';
import { type ReadLimits, type RunStore, type Store, within } from './store/store.js';

/** What is kept at hand for readers that keep up. */
const TAIL = { entries: 1024, size: 1024 * 1024 };
/** How far a reader that holds may be behind before the runtime is held back, and from where on it goes on. */
const HIGH = 4 * 1024 * 1024;
const LOW = 1024 * 1024;
/** Milliseconds until a store that could not be written is tried again. */
const RETRY_MS = 250;

/** Where entries are read from: a log that grows, or one that is only kept. */
export interface LogSource {
  /** The number of the last entry that may be seen. */
  readonly last: number;
  /** Nothing follows `last`. */
  readonly closed: boolean;
  read(after: number, limits: ReadLimits): LogEntry[];
  /** Resolves when there is an entry after that number, or the log is closed. */
  more(after: number): Promise<void>;
  /** Says how far a reader came that the runtime has to wait for. */
  hold?(after: number): Hold;
}

export interface Hold {
  took(entry: LogEntry): void;
  release(): void;
}

export interface EventLog extends LogSource {
  /** @returns the event's number */
  append(event: Event): number;
  /** The number that was given last. */
  readonly given: number;
  /** Nothing more is appended. */
  close(): void;
  /** Resolves when everything appended so far may be seen. @throws {CoreError} store: not yet */
  durable(): Promise<void>;
  hold(after: number): Hold;
}

/** @param behind hears that some reader is too far behind, and that none is any more */
export function eventLog(run: string, store: RunStore, behind: (held: boolean) => void = () => {}): EventLog {
  let given = 0;
  let last = 0;
  let ending = false;
  let size = 0;
  const tail: LogEntry[] = [];
  let tailSize = 0;
  let waiting: (() => void)[] = [];
  let publishing: Promise<void> | null = null;
  const holds = new Set<{ taken: number; behind: boolean }>();

  function wake(): void {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  }
  function keep(entry: LogEntry): void {
    const length = entryLine(entry.event).length;
    size += length;
    tailSize += length;
    tail.push(entry);
    trim();
  }
  /** What is not in the file yet is kept in any case; half at once, so that dropping costs little per event. */
  function trim(): void {
    if (tail.length <= 2 * TAIL.entries && tailSize <= 2 * TAIL.size) return;
    let drop = 0;
    while (tail.length - drop > TAIL.entries || tailSize > TAIL.size) {
      const old = tail[drop];
      if (old === undefined || old.seq > last) break;
      tailSize -= entryLine(old.event).length;
      drop += 1;
    }
    tail.splice(0, drop);
  }
  async function publish(): Promise<void> {
    try {
      while (last < given) {
        const upTo = given;
        await store.commit();
        last = upTo;
        trim();
        wake();
      }
    } finally {
      // At once: what a reader appends when it is woken begins the next attempt.
      publishing = null;
    }
  }
  /** One attempt for everybody who waits; a failed one is tried again later. */
  function durable(): Promise<void> {
    if (publishing) return publishing;
    if (last === given) return Promise.resolve();
    publishing = Promise.resolve().then(publish);
    return publishing;
  }
  function retry(error: unknown): void {
    // The store has said why.
    if (!(error instanceof CoreError)) throw error;
    setTimeout(() => durable().catch(retry), RETRY_MS).unref();
  }
  function weigh(): void {
    let changed = false;
    const before = [...holds].some((one) => one.behind);
    for (const one of holds) {
      const lag = size - one.taken;
      const now = one.behind ? lag >= LOW : lag > HIGH;
      if (now !== one.behind) changed = true;
      one.behind = now;
    }
    if (!changed) return;
    const after = [...holds].some((one) => one.behind);
    if (after !== before) behind(after);
  }

  return {
    append(event) {
      given += 1;
      const entry = { seq: given, event };
      store.append(run, entry);
      keep(entry);
      if (holds.size > 0) weigh();
      if (publishing === null) durable().catch(retry);
      return given;
    },
    close() {
      ending = true;
      if (last === given) wake();
    },
    durable,
    get given() {
      return given;
    },
    get last() {
      return last;
    },
    get closed() {
      return ending && last === given;
    },
    read(after, limits) {
      if (after >= last) return [];
      const first = tail[0]?.seq ?? Number.POSITIVE_INFINITY;
      if (after + 1 < first) return store.events(run, after, limits);
      const seen = tail.slice(after + 1 - first, Math.min(last + 1 - first, after + 1 - first + limits.entries));
      return within(seen, limits);
    },
    more(after) {
      if (last > after || (ending && last === given)) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
    hold(after) {
      const one = { taken: after === 0 ? 0 : size, behind: false };
      holds.add(one);
      return {
        took(entry) {
          one.taken += entryLine(entry.event).length;
          if (one.behind) weigh();
        },
        release() {
          if (!holds.delete(one) || !one.behind) return;
          if (![...holds].some((other) => other.behind)) behind(false);
        },
      };
    },
  };
}

/** The log of a run that is over. */
export function keptLog(run: string, store: Store): LogSource {
  const last = store.lastSeq(run);
  return {
    last,
    closed: true,
    read: (after, limits) => store.events(run, after, limits),
    more: () => Promise.resolve(),
  };
}

/** Milliseconds between two looks at a log that another process writes. */
const LOOK_MS = 100;

/** The log of a run that another process works on. @param over whether nothing follows any more */
export function distantLog(run: string, store: Store, over: () => boolean): LogSource {
  return {
    get last() {
      return store.lastSeq(run);
    },
    get closed() {
      return over();
    },
    read: (after, limits) => store.events(run, after, limits),
    async more(after) {
      while (store.lastSeq(run) <= after && !over()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
  };
}
