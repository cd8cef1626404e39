/** What a server that died left behind: its runs are told to be interrupted, and their streams get an end. */

import type { Event } from '../contract/event.js';
import { eventLine } from '../text/event-line.js';
import { refusedEvents } from '../turn/refusal.js';
import type { RunRecord } from './records.js';
import type { Store } from './store/store.js';

const MESSAGE = 'The server ended before this run did.';
const BATCH = 1000;

function lastSeq(store: Store, run: RunRecord): number {
  let last = 0;
  for (;;) {
    const some = store.events(run.run_id, last, BATCH);
    last = some.at(-1)?.seq ?? last;
    if (some.length < BATCH) return last;
  }
}

function ending(run: RunRecord, last: number): Event[] {
  const { runtime, cwd, access, model } = run;
  const [start, error] = refusedEvents({
    runtime,
    cwd,
    access,
    model,
    resume: null,
    code: 'cancelled',
    message: MESSAGE,
  });
  const done: Event = {
    v: 1,
    type: 'done',
    exit_code: 130,
    stop_reason: 'cancelled',
    duration_ms: Math.max(0, run.updated_at - (run.started_at ?? run.updated_at)),
  };
  return [...(last === 0 && start ? [start] : []), ...(error ? [error] : []), done];
}

/** Call it once the store is open, and whenever another process may have died since. @returns how many runs were found */
export function recover(store: Store, now: number): number {
  const left = store.abandoned();
  for (const run of left) {
    let last = lastSeq(store, run);
    const tail = store.events(run.run_id, Math.max(0, last - 1), 1)[0]?.json ?? '';
    const whole = tail.includes('"type":"done"');
    for (const event of whole ? [] : ending(run, last)) {
      last += 1;
      store.append(run.run_id, { seq: last, json: eventLine(event).slice(0, -1) });
    }
    store.putRun({
      ...run,
      status: 'interrupted',
      updated_at: now,
      ended_at: now,
      last_seq: last,
      exit_code: run.exit_code ?? 130,
      stop_reason: run.stop_reason ?? 'cancelled',
      error: run.error ?? { code: 'cancelled', message: MESSAGE },
    });
  }
  store.flush();
  return left.length;
}
