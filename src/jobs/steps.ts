/** Changes of a job by the process that works on it. */

import { JobError } from './failure.js';
import type { JobFailure, JobRecord, JobState, JobUsage } from './job.js';
import type { JobStore } from './store.js';

/** The job is no longer ours: it was cancelled, or taken over. What is under way for it is dropped. */
export class Abandoned extends Error {
  constructor() {
    super('the job is not worked on here any more');
    this.name = 'Abandoned';
  }
}

/** Ends the round with a failure of the job. */
export class RoundFailure extends Error {
  constructor(readonly failure: JobFailure) {
    super(failure.message);
    this.name = 'RoundFailure';
  }
}

export interface Steps {
  /** @throws Abandoned */
  change(change: (job: JobRecord) => void): JobRecord;
  become(state: JobState): JobRecord;
}

export function stepsOf(store: JobStore, id: string, now: () => number, changed: () => void): Steps {
  const change = (does: (job: JobRecord) => void): JobRecord => {
    const job = store.change(id, (one) => {
      if (one.worker !== store.worker) throw new Abandoned();
      does(one);
      one.updated_at = Math.max(now(), one.updated_at);
    });
    changed();
    return job;
  };
  return { change, become: (state) => change((job) => Object.assign(job, { state })) };
}

const plus = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);

export function addUsage(to: JobUsage, of: JobUsage): JobUsage {
  return {
    input_tokens: plus(to.input_tokens, of.input_tokens),
    output_tokens: plus(to.output_tokens, of.output_tokens),
    cost_usd: plus(to.cost_usd, of.cost_usd),
  };
}

/** Codes of a turn after which the same job may go well another time. */
const PASSING = new Set(['rate-limited', 'timeout', 'quota', 'runner-error', 'interrupted']);

export function turnFailure(code: string | null, message: string | null): RoundFailure {
  const named = code === null || code === 'runner-error' ? 'service_execution_failed' : code.replaceAll('-', '_');
  return new RoundFailure({
    code: named,
    message: message ?? 'the turn failed without a reason',
    phase: 'implementation',
    retryable: code === null || PASSING.has(code),
  });
}

/** @throws the error itself where it is not a reason that a job may fail for */
export function failureOf(error: unknown, phase: JobFailure['phase']): JobFailure {
  if (error instanceof RoundFailure) return error.failure;
  if (error instanceof JobError) return { code: error.code, message: error.message, phase, retryable: false };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'service_execution_failed', message, phase, retryable: true };
}
