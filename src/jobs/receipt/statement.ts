/** What a receipt states: an in-toto statement (v1) about one revision of one job. Holds digests, never prompts or files. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { digestOf } from '../canonical.js';
import { checksOf, isVerified, type JobRecord, lastAudit } from '../job.js';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'urn:turnout:coding-job:v1';

const time = (ms: number): string => new Date(ms).toISOString();

/** The text of the commit's id decides which algorithm it is of. */
const commitDigest = (commit: string): JsonObject =>
  commit.length === 64 ? { sha256: commit } : { gitCommit: commit };

function subjects(job: JobRecord): JsonObject[] {
  const made = job.landed?.form === 'commit' && job.landed.made !== null ? job.landed.made : null;
  return [
    { name: 'change.patch', digest: { sha256: job.patch_sha256 ?? '' } },
    { name: 'revision', digest: { sha256: job.revision ?? '' } },
    ...(made === null ? [] : [{ name: 'commit', digest: commitDigest(made) }]),
  ];
}

/** @param job one that was accepted */
export function statementOf(job: JobRecord, version: string): JsonObject {
  const { policy, runtime, request } = job;
  const approved = lastAudit(job);
  return {
    _type: STATEMENT_TYPE,
    subject: subjects(job),
    predicateType: PREDICATE_TYPE,
    predicate: {
      turnout: version,
      job: job.job_id,
      request_sha256: job.request_sha256,
      message_sha256: digestOf(request.message),
      base: job.base,
      files: job.files.map(({ path, status }) => ({ path, status })),
      patch_sha256: job.patch_sha256,
      revision: { domain: policy.digest_domain, sha256: job.revision },
      runtime: {
        id: runtime?.id ?? policy.implementer,
        version: runtime?.version ?? null,
        model_asked: policy.model,
        models_answered: job.models,
      },
      runs: job.rounds.map(({ run_id, prompt_sha256, started_at, ended_at, revision }) => ({
        ...{ run_id, prompt_sha256, revision, started_at: time(started_at) },
        ended_at: ended_at === null ? null : time(ended_at),
      })),
      policy: {
        access: policy.access,
        approvals: policy.approvals,
        checks: policy.checks,
        auditor: policy.auditor,
        max_rework: policy.max_rework,
        budget_usd: policy.budget_usd,
        timeout_ms: policy.timeout_ms,
      },
      confinement: runtime?.confinement ? { ...runtime.confinement } : null,
      native_sandbox: runtime?.sandbox ?? null,
      verified: isVerified(job),
      contract_sha256: job.contract_sha256,
      checks: checksOf(job).map(({ name, passed, required, exit_code, output_sha256 }) => {
        return { name, passed, required, exit_code, output_sha256 };
      }),
      audits: job.audits.map(({ verdict, by, at, revision, findings_sha256 }) => {
        return { verdict, by, at: time(at), revision, findings_sha256 };
      }),
      approver: approved?.verdict === 'accept' ? approved.by : null,
      usage: { ...job.usage },
      landed:
        job.landed === null
          ? null
          : { form: job.landed.form, made: job.landed.made, files: job.landed.files, at: time(job.landed.at) },
    },
  };
}
