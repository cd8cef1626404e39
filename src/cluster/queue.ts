/**
 * The order of runs that wait, by BullMQ: one queue for each kind of worker that can run them. A queue only says that a run
 * may be due; whether it is, and that it is begun once, is decided by the claim (engine.ts). So a job may be given twice.
 */

import { randomUUID } from 'node:crypto';
import { CoreError } from '../runs/failure.js';
import type { Due } from './engine.js';

/** What we use of BullMQ's Queue, Worker and Job, whose types differ from engine to engine. */
interface Queue {
  add(
    name: string,
    data: object,
    how: { jobId: string; priority: number; attempts: number; removeOnComplete: boolean; removeOnFail: boolean },
  ): Promise<unknown>;
  on(event: 'error', hear: (error: Error) => void): unknown;
  close(): Promise<void>;
}

interface Job {
  id?: string;
  moveToCompleted(value: null, token: string, fetchNext: boolean): Promise<unknown>;
  moveToWait(token: string): Promise<unknown>;
}

interface Worker {
  waitUntilReady(): Promise<unknown>;
  startStalledCheckTimer(): Promise<void>;
  getNextJob(token: string, how: { block: boolean }): Promise<Job | undefined>;
  extendJobLocks(ids: string[], tokens: string[], duration: number): Promise<unknown>;
  on(event: 'error', hear: (error: Error) => void): unknown;
  close(force: boolean): Promise<void>;
}

/** How BullMQ is reached: over Redis or PostgreSQL. */
export interface QueueBackend {
  queue(name: string): Queue;
  /** One that fetches jobs when it is asked to. */
  worker(name: string): Worker;
  /** Milliseconds that a job belongs to whoever fetched it, without a sign of life. */
  readonly lockMs: number;
}

export interface Taken {
  run: string;
  /** Nothing more is to be done for it. */
  done(): Promise<void>;
  /** Somebody else is to take it. */
  back(): Promise<void>;
}

export interface TurnQueues {
  /** Adding a run twice is adding it once. @throws {CoreError} store */
  add(due: Due): Promise<void>;
  /** The next run of the first queue that has one; null: none has. @throws {CoreError} store */
  next(names: readonly string[]): Promise<Taken | null>;
  close(): Promise<void>;
}

/** BullMQ's own limit of a priority. */
const LAST_TICKET = 2_097_151;
/** Signs of life in the time of a lock. */
const RENEWALS = 3;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @param added told when a job was added */
export function turnQueues(backend: QueueBackend, added: () => Promise<void>): TurnQueues {
  const queues = new Map<string, Queue>();
  const workers = new Map<string, Promise<Worker>>();
  const held = new Map<string, { worker: Worker; job: Job; token: string }>();
  let turn = 0;
  const renewing = setInterval(() => void renew(), backend.lockMs / RENEWALS);
  renewing.unref();

  function queueOf(name: string): Queue {
    const known = queues.get(name);
    if (known) return known;
    const made = backend.queue(name);
    // What fails is said by the call that failed.
    made.on('error', () => {});
    queues.set(name, made);
    return made;
  }
  function workerOf(name: string): Promise<Worker> {
    const known = workers.get(name);
    if (known) return known;
    const opened = (async () => {
      const made = backend.worker(name);
      made.on('error', () => {});
      await made.waitUntilReady();
      // Jobs of workers that died come back.
      await made.startStalledCheckTimer();
      return made;
    })();
    workers.set(name, opened);
    opened.catch(() => workers.delete(name));
    return opened;
  }
  async function renew(): Promise<void> {
    for (const { worker, job, token } of held.values()) {
      if (job.id === undefined) continue;
      // A lock that is lost is no harm: the claim decides.
      await worker.extendJobLocks([job.id], [token], backend.lockMs).catch(() => []);
    }
  }
  async function tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new CoreError('store', `the queue of the cluster: ${reason(error)}`);
    }
  }
  return {
    add: ({ run, queue, ticket }) =>
      tried(async () => {
        const how = { jobId: run, priority: Math.min(Math.max(ticket, 1), LAST_TICKET), attempts: 1 };
        await queueOf(queue).add('turn', {}, { ...how, removeOnComplete: true, removeOnFail: true });
        await added();
      }),
    next: (names) =>
      tried(async () => {
        // Each queue is the first one in its turn.
        turn += 1;
        for (let i = 0; i < names.length; i++) {
          const name = names[(turn + i) % names.length];
          if (name === undefined) continue;
          const worker = await workerOf(name);
          const token = randomUUID();
          const job = await worker.getNextJob(token, { block: false });
          if (!job || job.id === undefined) continue;
          held.set(token, { worker, job, token });
          return {
            run: job.id,
            async done() {
              held.delete(token);
              // Somebody else may have it by now; then it completes it.
              await job.moveToCompleted(null, token, false).catch(() => {});
            },
            async back() {
              held.delete(token);
              // It comes back by itself when its lock runs out.
              await job.moveToWait(token).catch(() => {});
              await added();
            },
          };
        }
        return null;
      }),
    async close() {
      clearInterval(renewing);
      const opened = await Promise.allSettled([...workers.values()]);
      for (const one of opened) if (one.status === 'fulfilled') await one.value.close(true).catch(() => {});
      await Promise.allSettled([...queues.values()].map((one) => one.close()));
    },
  };
}
