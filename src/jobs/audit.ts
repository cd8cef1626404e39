/** A verdict on one exact revision. */

import { placesOf, readRecord } from '../workspace/paths.js';
import { JobError } from './failure.js';
import type { JobRecord, Verdict } from './job.js';
import type { AuditRequest } from './read-request.js';
import { revisionOf } from './revision.js';
import type { JobStore } from './store.js';

function mustWait(job: JobRecord): void {
  if (job.state === 'awaiting_audit') return;
  throw new JobError('audit_state_conflict', `the job is ${job.state}; a verdict is taken at awaiting_audit`);
}

/** @throws JobError revision_mismatch, revision_unavailable when the copy is not what is to be judged */
export async function mustBeRevision(job: JobRecord, env: NodeJS.ProcessEnv): Promise<void> {
  if (job.workspace === null || job.revision === null)
    throw new JobError('revision_unavailable', 'the job has no revision');
  const { tree } = placesOf(job.workspace, env);
  const paths = job.files.map(({ path }) => path);
  const live = await revisionOf(tree, paths, job.policy.digest_domain);
  if (live !== job.revision)
    throw new JobError('revision_mismatch', 'the files of the copy are no longer the revision that was made');
}

/** In the order of flyto-ai 0.20: state, digest, files. @throws JobError */
export async function checkRevision(job: JobRecord, asked: AuditRequest, env: NodeJS.ProcessEnv): Promise<void> {
  mustWait(job);
  if (asked.revision !== job.revision)
    throw new JobError('revision_mismatch', 'the verdict is about another revision than the one that waits');
  await mustBeRevision(job, env);
  if (job.workspace !== null) await readRecord(job.workspace, env);
}

/** @throws JobError; nothing is changed then */
export function applyVerdict(
  store: JobStore,
  id: string,
  { revision, verdict, findings, findings_sha256 }: AuditRequest,
  by: { name: string; at: number },
): JobRecord {
  return store.change(id, (job) => {
    // Somebody else may have been faster.
    mustWait(job);
    if (revision !== job.revision) throw new JobError('revision_mismatch', 'the revision has changed meanwhile');
    const entry: Verdict = { verdict, findings, by: by.name, at: by.at, revision, findings_sha256 };
    job.updated_at = Math.max(by.at, job.updated_at);
    if (verdict === 'accept') {
      Object.assign(job, { state: 'accepted', worker: null, audit_note: null });
      job.audits.push(entry);
      return;
    }
    const { max_rework: most, rework_limit: limit } = job.policy;
    if (job.rework_count >= most) {
      const message = `${most} reworks are the limit`;
      if (limit === 'hold')
        throw new JobError('rework_limit_reached', `${message}: the job waits for an accept, or to be cancelled`);
      job.audits.push(entry);
      const failure = { code: 'rework_limit_reached', message, phase: 'audit' as const, retryable: false };
      Object.assign(job, { state: 'failed', worker: null, failure });
      return;
    }
    if (job.session === null)
      throw new JobError('rework_not_resumable', 'the implementer has no session that could go on');
    job.audits.push(entry);
    job.rework_count += 1;
    Object.assign(job, { state: 'rework_queued', worker: null, audit_note: null });
  });
}
