/** Runs of a cluster, as one of its fronts sees them. */

import { liveGiven } from '../runs/clock-and-ids.js';
import { CoreError } from '../runs/failure.js';
import { keyOf } from '../runs/idempotency.js';
import { newRecord } from '../runs/new-record.js';
import type { Caller, Runs, Started, Submission } from '../runs/ports.js';
import { isOver, type RunRecord, type SessionRecord } from '../runs/records.js';
import { forkOf, openedBy } from '../runs/sessions.js';
import { closedView, distantView, liveView } from '../runs/view.js';
import type { Commands } from './commands.js';
import type { Due, Engine } from './engine.js';
import { listRuns } from './lists.js';
import { past } from './past.js';
import { needSession, ownOf } from './sessions.js';
import { ear } from './wait.js';
import type { Waiters } from './waiters.js';
import { watch } from './watch.js';
import type { Workers } from './worker.js';

export interface ClusterRunsOptions {
  engine: Engine;
  commands: Commands;
  waiters: Waiters;
  /** What is worked on in this process; null: this one only asks. */
  workers: Workers | null;
  most: { all: number; caller: number };
  /** The queue of those who can run it. @throws {CoreError} bad-request */
  queueOf(submission: Submission, session: SessionRecord): Promise<string>;
  /** Whether all places of the cluster are taken. */
  full(): Promise<boolean>;
  draining(): boolean;
  due(next: Due): Promise<void>;
  need(id: string, caller: Caller): Promise<RunRecord>;
}

export function clusterRuns(options: ClusterRunsOptions): Runs {
  const { engine, waiters, workers, need } = options;

  async function seen(idempotency: NonNullable<Submission['idempotency']>, caller: Caller): Promise<RunRecord | null> {
    const { key, fingerprint } = keyOf(idempotency, caller);
    const found = await engine.key(key);
    const run = found ? await engine.run(found.run_id) : null;
    if (!found || !run) return null;
    if (found.fingerprint !== fingerprint) throw conflict();
    // Who lost the connection asked for an answer, not for the end.
    return run.ended_by === 'disconnect' ? null : run;
  }
  const conflict = () => new CoreError('conflict', 'this idempotency key was used for another request');

  async function sessionOf(submission: Submission): Promise<SessionRecord> {
    const { conversation, caller, given = liveGiven() } = submission;
    switch (conversation.kind) {
      case 'continue':
        return needSession(engine, conversation.id, caller);
      case 'fork': {
        const from = await needSession(engine, conversation.id, caller);
        return forkOf(await past(engine, conversation.id), from, caller, given);
      }
      case 'new':
        return openedBy(submission, conversation);
      default: {
        const never: never = conversation;
        return never;
      }
    }
  }
  async function known(id: string, submission: Submission): Promise<Started> {
    const { attended, release, caller } = submission;
    await release?.();
    if (!attended) await engine.attend(id, { op: 'detach' });
    const run = await need(id, caller);
    const attendance = attended && !isOver(run.status) ? await attend(id) : null;
    return { run, replayed: true, attendance };
  }
  async function attend(id: string) {
    const name = waiters.name();
    const now = await engine.attend(id, { op: 'attend', id: name });
    return now.over ? null : waiters.attendance(id, name);
  }
  /** Frees what was made for a run once it is over. */
  async function release(id: string, submission: Submission): Promise<void> {
    if (!submission.release) return;
    await ended(id);
    await submission.release();
  }
  async function start(submission: Submission): Promise<Started> {
    if (options.draining()) throw new CoreError('draining', 'the server is about to end');
    const { caller, idempotency, plan, given = liveGiven(), history = [], whenBusy = 'queue' } = submission;
    const session = await sessionOf(submission);
    const record = newRecord(submission, session.session_id, given);
    const queue = await options.queueOf(submission, session);
    if (
      submission.whenFull === 'refuse' &&
      (await options.full()) &&
      !(idempotency && (await seen(idempotency, caller)))
    )
      throw new CoreError('busy', 'all places of the cluster are taken; that is the limit');
    const attendee = submission.attended ? waiters.name() : null;
    const accepted = await engine.accept({
      record,
      turn: { plan, caller, native: given.id(), history },
      queue,
      session: submission.conversation.kind === 'continue' ? null : session,
      key: idempotency ? keyOf(idempotency, caller) : null,
      whenBusy,
      most: options.most,
      attendee,
    });
    switch (accepted.kind) {
      case 'known':
        return known(accepted.run, submission);
      case 'refused':
        throw refusal(accepted, session.session_id);
      case 'accepted': {
        const { run_id: id } = record;
        // Waited for, so that a caller who asks for many is not faster than the queue.
        if (accepted.due) await options.due(accepted.due);
        void release(id, submission);
        const attendance = attendee === null ? null : waiters.attendance(id, attendee);
        return { run: record, replayed: false, attendance };
      }
      default: {
        const never: never = accepted;
        throw new CoreError('store', `unknown answer ${JSON.stringify(never)}`);
      }
    }
  }
  function refusal({ reason, waiting }: { reason: string; waiting: number }, session: string): CoreError {
    switch (reason) {
      case 'conflict':
        return conflict();
      case 'session-busy':
        return new CoreError(reason, `a turn of session ${session} is under way; wait for it or cancel it`);
      case 'busy':
        return new CoreError(reason, `${waiting} turns are waiting; that is the limit`);
      default:
        return CoreError.of(reason, `there is no session ${session}`);
    }
  }
  async function ended(id: string, signal?: AbortSignal): Promise<void> {
    const heard = await ear(engine, [`run:${id}`], signal);
    try {
      while (!signal?.aborted) {
        const now = await engine.logState(id);
        if (!now || now.over) break;
        await heard.next();
      }
    } finally {
      heard.close();
    }
    if (!signal?.aborted) await workers?.gone(id);
  }
  return {
    start,
    seen,
    async get(id, caller) {
      const run = await need(id, caller);
      const here = workers?.get(id)?.run;
      if (here) return liveView(here);
      if (isOver(run.status)) return closedView(run);
      return distantView((after, limits) => engine.events(id, after, limits), run);
    },
    list: (filter, caller) => listRuns(engine, { ...filter, ...ownOf(caller) }),
    send: options.commands.send,
    async attend(id, caller) {
      const { status } = await need(id, caller);
      return isOver(status) ? null : attend(id);
    },
    async ended(id, caller, signal) {
      await need(id, caller);
      await ended(id, signal);
      return need(id, caller);
    },
    watch: (how, caller) => watch(engine, how, caller),
  };
}
