/** The runs that this process works on, and who is woken when one of them changes. */

import { CoreError } from './failure.js';
import type { Mail, Receipt } from './records.js';
import type { Run } from './run.js';
import type { Store } from './store/store.js';

/** Milliseconds between two looks into the mailboxes of our runs, where other processes may post. */
const MAIL_MS = 100;

export interface LiveRuns {
  get(id: string): Run | null;
  all(): Run[];
  add(run: Run): void;
  /** Nothing of it is left. */
  remove(id: string): void;
  /** Resolves when nothing of a run is left here. */
  gone(id: string): Promise<void>;
  /** Something that a watcher may see became durable. */
  changed(): void;
  /** Resolves at the next change. */
  change(): Promise<void>;
}

/** Does what a letter asks for. */
export function perform(run: Run, mail: Pick<Mail, 'command'>): Receipt {
  try {
    return run.perform(mail.command);
  } catch (error) {
    if (error instanceof CoreError) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

export function liveRuns(store: Store): LiveRuns {
  const live = new Map<string, Run>();
  const leaving = new Map<string, { promise: Promise<void>; resolve(): void }>();
  let waiting: { promise: Promise<void>; resolve(): void } | null = null;
  let looking: NodeJS.Timeout | null = null;

  function latch() {
    let resolve: () => void = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    return { promise, resolve: () => resolve() };
  }
  function look(): void {
    for (const mail of store.mail([...live.keys()])) {
      const run = live.get(mail.run_id);
      if (run) store.putReceipt(mail.id, perform(run, mail));
    }
    // A receipt that could not be written is written with whatever comes next.
    store.commit().catch(() => {});
  }
  return {
    get: (id) => live.get(id) ?? null,
    all: () => [...live.values()],
    add(run) {
      live.set(run.id, run);
      leaving.set(run.id, latch());
      if (store.shared) looking ??= setInterval(look, MAIL_MS).unref();
    },
    remove(id) {
      live.delete(id);
      leaving.get(id)?.resolve();
      leaving.delete(id);
      if (live.size > 0 || !looking) return;
      clearInterval(looking);
      looking = null;
    },
    gone: (id) => leaving.get(id)?.promise ?? Promise.resolve(),
    changed() {
      waiting?.resolve();
      waiting = null;
    },
    change() {
      waiting ??= latch();
      return waiting.promise;
    },
  };
}
