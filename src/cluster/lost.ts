/** The end of a run that its worker can't write any more. */

import type { ErrorCode } from '../contract/error.js';
import type { EndCause, LogEntry, RunRecord } from '../runs/records.js';
import { ending } from '../runs/recover.js';
import { tally } from '../runs/run-tally.js';
import { refusedEvents } from '../turn/refusal.js';
import type { Due, Engine } from './engine.js';

const BATCH = { entries: 500, size: 1024 * 1024 };

const WORKER_LOST = 'worker-lost: the worker that ran this turn is gone, and a turn is never run twice.';

/** Ends a run that was claimed as lost. @returns what is due now */
export async function endLost(
  engine: Engine,
  { record, epoch }: { record: RunRecord; epoch: number },
  message = WORKER_LOST,
): Promise<Due | null> {
  const sums = tally();
  let last = 0;
  let begun = false;
  for (;;) {
    const some = await engine.events(record.run_id, last, BATCH);
    for (const { seq, event } of some) {
      sums.hear(event);
      last = seq;
      if (event.type === 'start') begun = true;
    }
    if (some.length === 0) break;
  }
  const entries: LogEntry[] = [];
  for (const event of ending(record, { last, begun, sums }, message)) {
    sums.hear(event);
    last += 1;
    entries.push({ seq: last, event });
  }
  const now = Date.now();
  const at = { updated_at: now, ended_at: now, last_seq: last };
  const ended: RunRecord = { ...record, ...sums.record, ...at, status: 'interrupted', ended_by: 'crash' };
  const answer = await engine.append({ run: record.run_id, epoch, entries, record: ended, learned: {} });
  return answer.kind === 'ok' ? answer.due : null;
}

/** Why a run that waits ends, and who or what ended it. */
export interface Why {
  code: ErrorCode;
  message: string;
  by: EndCause;
}

/** Ends a run that waits. @returns whether it did: it may have begun or ended meanwhile; and what is due now */
export async function endWaiting(
  engine: Engine,
  run: string,
  front: string,
  { by, ...why }: Why,
): Promise<{ did: boolean; due: Due | null }> {
  const claim = await engine.claim(run, front);
  if (claim.kind === 'lost') return { did: true, due: await endLost(engine, claim) };
  if (claim.kind !== 'begin') return { did: false, due: null };
  const { record, epoch, kept } = claim;
  const sums = tally();
  const { runtime, cwd, access, model } = record;
  const events = refusedEvents({ runtime, cwd, access, model, resume: null, ...why });
  for (const event of events) sums.hear(event);
  const now = Date.now();
  const unheard = kept.flatMap(({ command }) => (command.type === 'steer' ? [command.text] : []));
  const ended: RunRecord = {
    ...record,
    ...sums.record,
    status: why.code === 'cancelled' ? 'cancelled' : 'failed',
    updated_at: now,
    ended_at: now,
    last_seq: events.length,
    pending_steer: unheard.length === 0 ? null : unheard.join('\n'),
    ended_by: by,
  };
  const entries = events.map((event, index) => ({ seq: index + 1, event }));
  const answer = await engine.append({ run, epoch, entries, record: ended, learned: {} });
  return { did: true, due: answer.kind === 'ok' ? answer.due : null };
}
