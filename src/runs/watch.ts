/** Changes of all runs, and everything that happens in one session. */

import { CoreError } from './failure.js';
import type { LiveRuns } from './live-runs.js';
import type { Caller, Followed, FollowOptions, SessionNews, WatchOptions } from './ports.js';
import { isOver, type RunChange, type RunRecord } from './records.js';
import { needSessionFor } from './sessions.js';
import { sees } from './sight.js';
import type { Store } from './store/store.js';

const BATCH = 200;
/** Milliseconds between two looks at what other processes did. */
const LOOK_MS = 250;

function aborted(signal: AbortSignal | undefined): { promise: Promise<void>; off(): void } {
  let leave: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    leave = resolve;
  });
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  return { promise, off: () => signal?.removeEventListener('abort', leave) };
}

/** Resolves when something may have changed. */
async function news(store: Store, live: LiveRuns, left: Promise<void>): Promise<void> {
  if (!store.shared) return Promise.race([live.change(), left]);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS);
  });
  await Promise.race([live.change(), left, late]);
  clearTimeout(timer);
}

/** See Runs.watch. */
export async function* watch(
  store: Store,
  live: LiveRuns,
  options: WatchOptions,
  caller: Caller,
): AsyncGenerator<RunChange> {
  const { signal, session } = options;
  const left = aborted(signal);
  let after = options.after ?? store.lastChange();
  try {
    while (!signal?.aborted) {
      // Before we look, so that nothing slips through between the look and the waiting.
      const next = news(store, live, left.promise);
      const some = store.changes(after, BATCH);
      for (const change of some) {
        if (signal?.aborted) return;
        after = change.position;
        if (sees(caller, change.run) && (session === undefined || change.run.session_id === session)) yield change;
      }
      if (some.length === 0) await next;
    }
  } finally {
    left.off();
  }
}

type Follow = (id: string, options: FollowOptions) => AsyncIterable<Followed>;

/** @throws {CoreError} bad-request */
export function readCursor(cursor: string | undefined): { run: string; seq: number } | null {
  if (cursor === undefined) return null;
  const [run, seq, ...more] = cursor.split(':');
  if (run === undefined || seq === undefined || more.length > 0 || !/^\d{1,15}$/.test(seq))
    throw new CoreError('bad-request', `invalid cursor ${JSON.stringify(cursor.slice(0, 100))}`);
  return { run, seq: Number(seq) };
}

/** See Sessions.follow. */
export async function* sessionNews(
  store: Store,
  live: LiveRuns,
  follow: Follow,
  id: string,
  options: { after?: string; signal?: AbortSignal },
  caller: Caller,
): AsyncGenerator<SessionNews> {
  needSessionFor(store, id, caller);
  const { signal } = options;
  const from = readCursor(options.after);
  if (from && store.run(from.run)?.session_id !== id)
    throw new CoreError('bad-request', 'the cursor does not belong to this session');
  const left = aborted(signal);
  const done = new Set<string>();
  try {
    for (const run of from ? store.runsOf(id) : []) {
      if (run.run_id === from?.run) break;
      done.add(run.run_id);
    }
    while (!signal?.aborted) {
      const next = news(store, live, left.promise);
      const run = store.runsOf(id).find(({ run_id }) => !done.has(run_id));
      if (!run) {
        await next;
        continue;
      }
      done.add(run.run_id);
      yield* runNews(run, from?.run === run.run_id ? from.seq : 0);
    }
  } finally {
    left.off();
  }

  async function* runNews(run: RunRecord, after: number): AsyncGenerator<SessionNews> {
    const { run_id } = run;
    yield { run };
    for await (const one of follow(run_id, { after, follow: true, ...(signal ? { signal } : {}) })) {
      if ('gap' in one) yield { run_id, cursor: `${run_id}:${one.gap.to}`, gap: one.gap };
      else yield { run_id, cursor: `${run_id}:${one.entry.seq}`, entry: one.entry };
    }
    const now = store.run(run_id);
    if (now && isOver(now.status)) yield { run: now };
  }
}
