/** Logs of runs, wherever they are worked on. */

import { distantLog, keptLog, type LogSource } from './event-log.js';
import { CoreError } from './failure.js';
import { checkCursor, follow } from './follow.js';
import type { LiveRuns } from './live-runs.js';
import type { Caller, RunLog } from './ports.js';
import { isOver } from './records.js';
import { sees } from './sight.js';
import type { Store } from './store/store.js';

/** @throws {CoreError} not-found */
export function logSource(store: Store, live: LiveRuns, id: string): LogSource {
  const running = live.get(id);
  if (running) return running.log;
  const record = store.run(id);
  if (!record) throw new CoreError('not-found', `there is no run ${id}`);
  if (isOver(record.status)) return keptLog(id, store);
  return distantLog(id, store, () => {
    const now = store.run(id);
    return now === null || isOver(now.status);
  });
}

export function runLog(store: Store, live: LiveRuns): RunLog {
  function source(id: string, caller: Caller): LogSource {
    const record = live.get(id)?.record ?? store.run(id);
    if (!record || !sees(caller, record)) throw new CoreError('not-found', `there is no run ${id}`);
    return logSource(store, live, id);
  }
  return {
    async *follow(id, options, caller) {
      yield* follow(source(id, caller), options);
    },
    async page(id, after, limits, caller) {
      const from = source(id, caller);
      checkCursor(from, after);
      // Asked first: what is appended in between belongs to the next page.
      const { last, closed } = from;
      const entries = from.read(after, limits).filter(({ seq }) => seq <= last);
      const first = entries[0]?.seq ?? last + 1;
      return { entries, missing: first - after - 1, next: entries.at(-1)?.seq ?? last, last, over: closed };
    },
    async more(id, after, caller, signal) {
      const from = source(id, caller);
      checkCursor(from, after);
      if (from.last > after || from.closed || signal?.aborted) return;
      let leave: () => void = () => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      signal?.addEventListener('abort', leave, { once: true });
      await Promise.race([from.more(after), left]);
      signal?.removeEventListener('abort', leave);
    },
    async note(id, name, note) {
      store.putNote(id, name, note);
      await store.commit();
    },
    notes: async (id, name) => store.notes(id, name),
  };
}
