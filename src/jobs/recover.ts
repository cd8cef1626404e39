/** What a process that died left behind. */

import { type JobRecord, WORKING } from './job.js';
import type { JobStore } from './store.js';

const MANY = 10_000;

/** What was under way can't be known: it failed, and its copy stays. A landing that was cut short may be tried again. */
function settle(job: JobRecord, now: number): void {
  const worker = null;
  if (job.state === 'landing') {
    const audit_note = 'a landing was cut short; look at the files before you land again';
    Object.assign(job, { state: 'accepted', worker, updated_at: now, audit_note });
    return;
  }
  const checking = job.state.endsWith('checking');
  Object.assign(job, {
    state: 'failed',
    worker,
    updated_at: now,
    failure: {
      code: 'service_restarted',
      message: 'the process that worked on it ended; what was changed so far is in its copy',
      phase: checking ? 'checks' : 'implementation',
      retryable: true,
    },
  });
}

/** @returns how many jobs were found */
export function recoverJobs(store: JobStore, now: number): number {
  let found = 0;
  for (const state of WORKING)
    for (const { job_id, worker } of store.list({ limit: MANY, state, tenant: null })) {
      if (worker !== null && store.isAlive(worker)) continue;
      store.change(job_id, (job) => {
        if (job.worker !== worker || !WORKING.has(job.state)) return;
        settle(job, now);
        found += 1;
      });
    }
  return found;
}
