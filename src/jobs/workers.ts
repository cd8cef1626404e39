/** The jobs that this process works on: so many at once, the others wait. */

import pLimit from 'p-limit';
import type { Core } from '../runs/core.js';
import { allRecords, placesOf } from '../workspace/paths.js';
import { judge } from './auditor.js';
import type { Changes } from './changes.js';
import { diskUse } from './disk-use.js';
import { JobError } from './failure.js';
import { type JobFailure, type JobRecord, lastAudit, WAITING } from './job.js';
import { reworkPrompt } from './prompts.js';
import { signReceipt } from './receipt/sign.js';
import { playRound } from './round.js';
import type { JobSettings } from './settings.js';
import { Abandoned, failureOf, stepsOf } from './steps.js';
import type { JobStore } from './store.js';
import { tenantOf } from './tenant.js';

export interface WorkersOptions {
  core: Core;
  store: JobStore;
  settings: JobSettings;
  env: NodeJS.ProcessEnv;
  changes: Changes;
  now(): number;
  complain(message: string): void;
}

export interface Workers {
  /** The job waits: its turn comes when there is a place. */
  take(id: string): void;
  /** Ends what is under way for a job. Resolves when nothing of it is left here. */
  stop(id: string): Promise<void>;
  /** @throws JobError service_busy when the copies take too much room */
  room(): Promise<void>;
  /** Writes the receipt anew. @throws JobError */
  sign(id: string): void;
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface Work {
  abort: AbortController;
  done: Promise<void>;
}

/** Milliseconds between two looks whether another process cancelled the job. */
const LOOK_MS = 500;
/** Measuring is slow where there are many files. */
const ROOM_MS = 30_000;

export function workersOf(options: WorkersOptions): Workers {
  const { core, store, settings, changes, now, env, complain } = options;
  const places = pLimit(settings.workers);
  const works = new Map<string, Work>();
  let used: { bytes: number; at: number } | null = null;
  let closing = false;

  const sign = (id: string) => signReceipt(store, id, env, core.version);

  /** @returns null when another process was faster, or the job does not wait any more */
  function claim(id: string): JobRecord | null {
    let claimed = false;
    const job = store.change(id, (one) => {
      if (!WAITING.has(one.state)) return;
      claimed = true;
      const state = one.state === 'queued' ? 'running' : 'rework_running';
      Object.assign(one, { state, worker: store.worker, updated_at: now() });
    });
    changes.tell();
    return claimed ? job : null;
  }

  async function play(job: JobRecord, signal: AbortSignal): Promise<void> {
    const steps = stepsOf(store, job.job_id, now, changes.tell);
    const findings = job.state === 'rework_running' ? (lastAudit(job)?.findings ?? []) : [];
    const task = job.request.message;
    let run: string | null = null;
    const stop = () => {
      const caller = { principal: tenantOf(job.tenant), surface: 'jobs' };
      if (run !== null) core.runs.send(run, { type: 'cancel' }, caller).catch(() => {});
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      await playRound(job, {
        core,
        env,
        steps,
        signal,
        now,
        prompt: findings.length === 0 ? task : reworkPrompt(findings, task),
        running(id) {
          run = id;
          if (signal.aborted) stop();
        },
      });
      steps.change((one) => Object.assign(one, { state: 'awaiting_audit', worker: null }));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  function fail(id: string, failure: JobFailure): void {
    const steps = stepsOf(store, id, now, changes.tell);
    steps.change((one) => Object.assign(one, { state: 'failed', worker: null, failure }));
  }

  async function work(id: string, abort: AbortController): Promise<void> {
    if (closing) return;
    const job = claim(id);
    if (job === null) return;
    const look = setInterval(() => {
      if (store.get(id)?.worker !== store.worker) abort.abort();
    }, LOOK_MS);
    try {
      await play(job, abort.signal);
    } catch (error) {
      if (error instanceof Abandoned) return;
      if (closing) {
        const message = 'the process that worked on it ended; what was changed so far is in its copy';
        return fail(id, { code: 'service_restarted', message, phase: 'implementation', retryable: true });
      }
      fail(id, failureOf(error, job.workspace === null ? 'workspace' : 'implementation'));
      return;
    } finally {
      clearInterval(look);
      used = null;
    }
    if (job.policy.auditor !== null && !closing) await judge(id, { ...options, sign, take }, abort.signal);
  }

  function take(id: string): void {
    if (works.has(id)) {
      // An audit that ended in a rework: the same job again, once it has left.
      void works.get(id)?.done.then(() => take(id));
      return;
    }
    const abort = new AbortController();
    const done = places(() => work(id, abort))
      .catch((error: unknown) => {
        // The store does not take it: the job is found as interrupted when it does again.
        if (!(error instanceof Abandoned)) complain(`job ${id}: ${error instanceof Error ? error.message : error}`);
      })
      .finally(() => works.delete(id));
    works.set(id, { abort, done });
  }

  async function roomOf(): Promise<number> {
    if (used === null || now() - used.at > ROOM_MS) {
      let bytes = 0;
      for (const record of await allRecords(env)) {
        if (record.job !== undefined && (record.state === 'live' || record.state === 'kept'))
          bytes += await diskUse(placesOf(record.id, env).dir);
      }
      used = { bytes, at: now() };
    }
    return used.bytes;
  }

  return {
    take,
    sign,
    async stop(id) {
      const under = works.get(id);
      under?.abort.abort();
      await under?.done;
    },
    async room() {
      const bytes = await roomOf();
      if (bytes < settings.quotaBytes) return;
      const held = `${(bytes / 1e9).toFixed(1)} GB of ${(settings.quotaBytes / 1e9).toFixed(1)} GB`;
      throw new JobError('service_busy', `the copies of jobs take ${held}; land or discard some`, { retryable: true });
    },
    async idle() {
      while (works.size > 0) await Promise.all([...works.values()].map(({ done }) => done));
    },
    async close() {
      closing = true;
      for (const { abort } of works.values()) abort.abort();
      await Promise.all([...works.values()].map(({ done }) => done));
    },
  };
}
