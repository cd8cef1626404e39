/** What a process that died left behind: its runs are interrupted, and their streams get an end. */

import type { Event } from '../contract/event.js';
import { refusedEvents } from '../turn/refusal.js';
import type { RunRecord, RunStatus } from './records.js';
import { type Tally, tally } from './run-tally.js';
import type { Store } from './store/store.js';

const MESSAGE = 'The server ended before this run did.';
const BATCH = { entries: 500, size: 1024 * 1024 };

export interface Kept {
  sums: Tally;
  /** Number of the last event. */
  last: number;
  begun: boolean;
  whole: boolean;
}

/** Everything that was kept of a run, added up. Lets others have their turn between two reads. */
async function kept(store: Store, id: string): Promise<Kept> {
  const found: Kept = { sums: tally(), last: 0, begun: false, whole: false };
  for (;;) {
    const some = store.events(id, found.last, BATCH);
    for (const { seq, event } of some) {
      found.sums.hear(event);
      found.last = seq;
      if (event.type === 'start') found.begun = true;
      if (event.type === 'done') found.whole = true;
    }
    if (some.length === 0) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // An event that this version can't read has a number, too.
  found.last = Math.max(found.last, store.lastSeq(id));
  return found;
}

/** The events that end a run whose process died. @param message what happened, for its reader */
export function ending(run: RunRecord, { last, begun, sums }: Omit<Kept, 'whole'>, message = MESSAGE): Event[] {
  const totals = sums.used;
  const { runtime, cwd, access, model } = run;
  const refused = { runtime, cwd, access, model, resume: null, code: 'interrupted', message } as const;
  const [start, error] = refusedEvents(refused);
  const done: Event = {
    v: 1,
    type: 'done',
    exit_code: 130,
    stop_reason: 'interrupted',
    duration_ms: Math.max(0, run.updated_at - (run.started_at ?? run.updated_at)),
    ...(totals === null ? {} : { totals }),
  };
  return [...(last === 0 && !begun && start ? [start] : []), ...(error ? [error] : []), done];
}

function statusOf({ record }: Tally): RunStatus {
  if (record.exit_code === 0) return 'completed';
  if (record.stop_reason === 'interrupted') return 'interrupted';
  return record.stop_reason === 'cancelled' ? 'cancelled' : 'failed';
}

/**
 * Call it once the store is open, and whenever another process may have died since.
 * @returns how many runs were found @throws {CoreError} store
 */
export async function recover(store: Store, now: number): Promise<number> {
  const left = store.abandoned();
  for (const run of left) {
    const found = await kept(store, run.run_id);
    let { last } = found;
    if (!found.whole) {
      for (const event of ending(run, found)) {
        last += 1;
        found.sums.hear(event);
        store.append(run.run_id, { seq: last, event });
      }
    }
    store.putRun({
      ...run,
      ...found.sums.record,
      status: statusOf(found.sums),
      updated_at: now,
      ended_at: now,
      last_seq: last,
      ended_by: found.whole ? run.ended_by : 'crash',
    });
  }
  if (left.length > 0) await store.commit();
  return left.length;
}
