/** All runs of a server: how many at once, who waits, and which request was seen before. */

import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Json } from '../contract/vocabulary.js';
import type { Tap } from '../turn/world.js';
import type { Given } from './clock-and-ids.js';
import { type EventLog, eventLog } from './event-log.js';
import { CoreError } from './failure.js';
import type { StartTurn, TurnPlan } from './plan.js';
import { isOver, type RunRecord } from './records.js';
import { createRun, type Run } from './run.js';
import type { Sessions } from './sessions.js';
import type { Store } from './store/store.js';

export interface Submission {
  plan: TurnPlan;
  session: string;
  given: Given;
  /** Hears everything that passes through the turn. */
  tap?: Tap;
  /** The same key with the same request gives the same run. `scope` keeps callers apart. */
  idempotency?: { key: string; scope: string; request: Json };
}

export type Idempotency = NonNullable<Submission['idempotency']>;

export interface Runs {
  /** The run that the same request with the same key was given before. @throws CoreError conflict */
  seen(idempotency: Idempotency): RunRecord | null;
  /** @throws CoreError busy, draining, conflict (also for a key that was seen) */
  submit(submission: Submission): Run;
  /** One that is queued or running. */
  live(id: string): Run | null;
  /** @throws CoreError not-active with the status it has, not-found */
  need(id: string): Run;
  /** @throws CoreError not-found */
  record(id: string): RunRecord;
  /** @throws CoreError not-found */
  log(id: string): EventLog;
  active(): Run[];
  /** From now on nothing is accepted. Resolves when nothing runs any more. */
  drain(): Promise<void>;
  cancelAll(cause: 'user' | 'shutdown'): void;
}

export interface RunsOptions {
  store: Store;
  sessions: Sessions;
  start: StartTurn;
  /** How many turns at once, and how many more may wait. */
  concurrency: number;
  queue: number;
  canSteer(runtime: string): boolean;
}

/** The same JSON in whatever order its keys stand. */
function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function runs(options: RunsOptions): Runs {
  const { store, sessions } = options;
  const limit = pLimit(options.concurrency);
  const live = new Map<string, Run>();
  let draining = false;
  let idle: (() => void)[] = [];

  function record(id: string): RunRecord {
    const found = live.get(id)?.record ?? store.run(id);
    if (!found) throw new CoreError('not-found', `there is no run ${id}`);
    return found;
  }
  function left(id: string): void {
    live.delete(id);
    if (live.size > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  }
  const keyOf = (one: Idempotency) => ({
    key: sha256(`${one.scope}\n${one.key}`),
    fingerprint: sha256(canonical(one.request)),
  });
  function seen(idempotency: Idempotency): RunRecord | null {
    const { key, fingerprint } = keyOf(idempotency);
    const found = store.key(key);
    if (!found) return null;
    if (found.fingerprint !== fingerprint)
      throw new CoreError('conflict', 'this idempotency key was used for another request');
    return live.get(found.run_id)?.record ?? store.run(found.run_id);
  }

  return {
    seen,
    submit(submission) {
      const { idempotency } = submission;
      if (idempotency && seen(idempotency)) throw new CoreError('conflict', 'this idempotency key has a run');
      if (draining) throw new CoreError('draining', 'the server is about to end');
      if (live.size >= options.concurrency + options.queue)
        throw new CoreError('busy', `${live.size} runs are under way or waiting; that is the limit`);
      const { plan, given, session, tap } = submission;
      const { request } = plan;
      const id = `run_${given.id().replaceAll('-', '')}`;
      const now = given.now();
      const run = createRun({
        plan,
        given,
        store,
        sessions,
        native: given.id(),
        ...(tap ? { tap } : {}),
        canSteer: options.canSteer,
        record: {
          run_id: id,
          session_id: session,
          status: 'queued',
          runtime: request.runtime,
          model: request.model,
          cwd: request.cwd,
          access: request.access,
          prompt: request.prompt,
          created_at: now,
          started_at: null,
          updated_at: now,
          ended_at: null,
          exit_code: null,
          stop_reason: null,
          error: null,
          text: null,
          input_tokens: null,
          output_tokens: null,
          cached_tokens: null,
          cost_usd: null,
          last_seq: 0,
          pending_steer: null,
        },
      });
      live.set(id, run);
      if (idempotency) {
        const { key, fingerprint } = keyOf(idempotency);
        store.putKey(key, { fingerprint, run_id: id, at: now });
      }
      store.flush();
      // Cancelled while it waited, it is over before its turn comes.
      void run.over.then(() => {
        if (run.record.started_at === null) left(id);
      });
      void limit(() => run.begin(options.start)).then(() => left(id));
      return run;
    },
    live: (id) => live.get(id) ?? null,
    need(id) {
      const run = live.get(id);
      if (run) return run;
      throw new CoreError('not-active', `run ${id} is ${record(id).status}`);
    },
    record,
    log(id) {
      const running = live.get(id);
      if (running) return running.log;
      const { last_seq } = record(id);
      return eventLog(id, store, { last: last_seq, closed: true });
    },
    active: () => [...live.values()].filter((run) => !isOver(run.record.status)),
    drain() {
      draining = true;
      return live.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));
    },
    cancelAll(cause) {
      for (const run of live.values()) run.cancel(cause);
    },
  };
}
