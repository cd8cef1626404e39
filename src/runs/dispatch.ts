/**
 * Who runs next, in this process. Turns of one session run one after another; the others share the places, those first
 * whose caller has the fewest under way. Few programs start at once: a start holds the event loop for some 10 ms, and
 * a program needs most of a core until it says its first word.
 */

import { CoreError } from './failure.js';
import type { Dispatch, Job, Place } from './ports.js';

export interface DispatchOptions {
  /** Turns at once. */
  places: number;
  /** How many more may wait. */
  queue: number;
  /** Programs that start at once, 1 when absent. */
  starts?: number;
  /** Whether a turn of the session is under way in another process. */
  elsewhere?(session: string): boolean;
  /** A place is free again. */
  freed?(): void;
}

export interface How {
  whenBusy: 'queue' | 'refuse';
  whenFull: 'queue' | 'refuse';
}

/** As {@link Dispatch}, with its first half at once: nothing can come between the check and the place in the queue. */
export interface LocalDispatch extends Dispatch {
  /** @throws {CoreError} busy, session-busy, draining */
  take(job: Job, how: How): void;
  /** A job that was taken may begin. */
  ready(run: string): void;
  /** Takes out a job that has not begun. */
  drop(run: string): boolean;
  /** How many more could begin now. */
  room(): number;
}

/** Turns that gave their place back still are processes: so many times the places may be under way. */
const UNDER_WAY = 8;
/** Milliseconds after which the next program is started although the one before is not there yet. */
const SLOW_START = 150;
/** Milliseconds between two looks at sessions that another process works on. */
const LOOK_MS = 250;

interface Entry {
  job: Job;
  ready: boolean;
}

const nameOf = ({ caller }: Job): string => `${caller.surface}\n${caller.principal.name}`;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function dispatch(options: DispatchOptions): LocalDispatch {
  const { places, starts = 1 } = options;
  const elsewhere = options.elsewhere ?? (() => false);
  let queue: Entry[] = [];
  const active = new Set<string>();
  /** How many of each caller run. */
  const shares = new Map<string, number>();
  let running = 0;
  /** Places of each caller. */
  const held = new Map<string, number>();
  let starting = 0;
  let draining = false;
  let work: ((job: Job, place: Place, begun: () => void) => Promise<void>) | null = null;
  let idle: (() => void)[] = [];
  let looking = false;

  /** Sessions with a turn under way. */
  const sessions = new Set<string>();

  /** The next one that may begin: of the caller with the fewest, the oldest. */
  function pick(): Entry | null {
    const blocked = new Set<string>();
    let best: Entry | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const entry of queue) {
      const { session_id } = entry.job;
      if (blocked.has(session_id)) continue;
      blocked.add(session_id);
      if (!entry.ready || sessions.has(session_id)) continue;
      const share = shares.get(nameOf(entry.job)) ?? 0;
      if (share >= least) continue;
      if (elsewhere(session_id)) {
        lookAgain();
        continue;
      }
      best = entry;
      least = share;
    }
    return best;
  }
  function lookAgain(): void {
    if (looking) return;
    looking = true;
    setTimeout(() => {
      looking = false;
      pump();
    }, LOOK_MS);
  }
  function count(of: Map<string, number>, name: string, by: number): void {
    const now = (of.get(name) ?? 0) + by;
    if (now === 0) of.delete(name);
    else of.set(name, now);
  }
  function occupy(name: string, by: number): void {
    running += by;
    count(held, name, by);
  }
  function settle(): void {
    if (queue.length > 0 || active.size > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  }
  function placeFor(name: string): Place & { end(): void } {
    let state: 'taken' | 'given' | 'over' = 'taken';
    occupy(name, 1);
    return {
      yield() {
        if (state !== 'taken') return;
        state = 'given';
        occupy(name, -1);
        pump();
        options.freed?.();
      },
      retake() {
        if (state !== 'given') return;
        state = 'taken';
        occupy(name, 1);
      },
      end() {
        if (state === 'taken') occupy(name, -1);
        state = 'over';
      },
    };
  }
  async function begin(job: Job): Promise<void> {
    if (!work) return;
    const place = placeFor(nameOf(job));
    active.add(job.run_id);
    sessions.add(job.session_id);
    count(shares, nameOf(job), 1);
    let begun: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const late = setTimeout(begun, SLOW_START);
    const done = work(job, place, begun).finally(() => {
      place.end();
      active.delete(job.run_id);
      sessions.delete(job.session_id);
      count(shares, nameOf(job), -1);
      begun();
      settle();
      pump();
      options.freed?.();
    });
    await Promise.race([started, done]);
    clearTimeout(late);
    // What others wait for comes between two starts.
    await nextTurn();
    await nextTurn();
  }
  function pump(): void {
    if (starting >= starts || !work || running >= places || active.size >= places * UNDER_WAY) return;
    const entry = pick();
    if (!entry) return;
    queue = queue.filter((one) => one !== entry);
    starting += 1;
    void begin(entry.job).finally(() => {
      starting -= 1;
      pump();
    });
  }

  function take(job: Job, how: How): void {
    if (draining) throw new CoreError('draining', 'the server is about to end');
    const { session_id } = job;
    const busy =
      sessions.has(session_id) || queue.some((one) => one.job.session_id === session_id) || elsewhere(session_id);
    if (how.whenBusy === 'refuse' && busy)
      throw new CoreError('session-busy', `a turn of session ${session_id} is under way; wait for it or cancel it`);
    const full = active.size + queue.length;
    // Who waits for a person or for tools has given its place back. The turns of others are no reason to refuse one.
    const name = nameOf(job);
    const mine = (held.get(name) ?? 0) + queue.filter((one) => nameOf(one.job) === name).length;
    if (how.whenFull === 'refuse' && (mine >= places || full >= places * UNDER_WAY))
      throw new CoreError('busy', `${mine} turns of yours are under way, ${full} in all; that is the limit`);
    if (full >= places * UNDER_WAY + options.queue || running + queue.length >= places + options.queue)
      throw new CoreError('busy', `${full} turns are under way or waiting; that is the limit`);
    queue.push({ job, ready: false });
  }
  function ready(run: string): void {
    for (const one of queue) if (one.job.run_id === run) one.ready = true;
    pump();
  }
  function drop(run: string): boolean {
    const before = queue.length;
    queue = queue.filter((one) => one.job.run_id !== run);
    if (queue.length === before) return false;
    settle();
    pump();
    return true;
  }

  return {
    take,
    ready,
    drop,
    room: () => Math.min(places - running, places * UNDER_WAY - active.size) - queue.length,
    async enqueue(job, how) {
      take(job, how);
      ready(job.run_id);
    },
    withdraw: async (run) => drop(run),
    serve(does) {
      work = does;
      pump();
    },
    load: async () => ({
      places,
      running,
      waiting: active.size - running,
      queued: queue.length,
    }),
    drain() {
      draining = true;
      if (queue.length === 0 && active.size === 0) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
  };
}
