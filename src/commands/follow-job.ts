/** Waits for a job that this command works on; an interrupt cancels it. */

import type { JobRecord } from '../jobs/job.js';
import type { OpenJobs } from '../jobs/open.js';
import { nextAction } from '../jobs/wire.js';
import { ME } from './jobs-reading.js';

/** States are told on stderr as they change. */
export async function followJob({ jobs }: OpenJobs, job: JobRecord): Promise<JobRecord> {
  const cancel = () => void jobs.cancel(job.job_id, ME).catch(() => {});
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, cancel);
  process.stderr.on('error', () => {});
  let told = '';
  for (;;) {
    const now = jobs.get(job.job_id, ME);
    if (now.state !== told) process.stderr.write(`${now.job_id} ${now.state}\n`);
    told = now.state;
    if (nextAction(now) !== 'wait') break;
    await jobs.changes.next(1000);
  }
  // An auditor may go on with it.
  await jobs.idle();
  return jobs.get(job.job_id, ME);
}
