/** Writes the receipt of a job that was accepted, and again when it landed. */

import { JobError } from '../failure.js';
import { isLandable, type JobRecord } from '../job.js';
import type { JobStore } from '../store.js';
import { seal } from './dsse.js';
import { signingKey } from './keys.js';
import { statementOf } from './statement.js';

const hasReceipt = ({ state }: JobRecord): boolean => isLandable(state) || state === 'landing' || state === 'landed';

/** On the disk when it returns. @throws JobError */
export function signReceipt(store: JobStore, id: string, env: NodeJS.ProcessEnv, version: string): void {
  const job = store.get(id);
  if (job === null || !hasReceipt(job)) throw new JobError('job_state_conflict', 'only an accepted job has a receipt');
  store.putReceipt(id, seal(statementOf(job, version), signingKey(env)));
}

/** The one there is; made now where a process ended between the verdict and its receipt. @throws JobError */
export function receiptOf(store: JobStore, job: JobRecord, env: NodeJS.ProcessEnv, version: string): string {
  if (!hasReceipt(job))
    throw new JobError('job_state_conflict', `the job is ${job.state}: only an accepted one has a receipt`);
  if (store.receipt(job.job_id) === null) signReceipt(store, job.job_id, env, version);
  return store.receipt(job.job_id) ?? '';
}
