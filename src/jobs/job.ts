/** What is kept of a coding job. Times are milliseconds since 1970. */

import type { Confinement } from '../contract/vocabulary.js';
import type { ChangedFile } from '../workspace/patch.js';

export const JOB_STATES = [
  'queued',
  'running',
  'checking',
  'awaiting_audit',
  'rework_queued',
  'rework_running',
  'rework_checking',
  'accepted',
  'landing',
  'landed',
  'failed',
  'cancelled',
] as const;
/**
 * queued → running → checking → awaiting_audit → accepted → landing → landed. A rework goes from awaiting_audit through
 * rework_queued, rework_running and rework_checking back to awaiting_audit. Every state before `accepted` may end in failed
 * or cancelled.
 */
export type JobState = (typeof JOB_STATES)[number];

/** States in which a process works on the job. */
export const WORKING: ReadonlySet<JobState> = new Set([
  'running',
  'checking',
  'rework_running',
  'rework_checking',
  'landing',
]);
export const WAITING: ReadonlySet<JobState> = new Set(['queued', 'rework_queued']);
/** Nothing of the work can change any more; an accepted job may still land. */
export const TERMINAL: ReadonlySet<JobState> = new Set(['accepted', 'landing', 'landed', 'failed', 'cancelled']);

export const isLandable = (state: JobState): boolean => state === 'accepted';

/** Why a job failed. Codes of a turn (`auth`, `quota`, `rate_limited`, `timeout`, `budget`, …) are taken over with `_` for `-`. */
export type FailureCode = string;

export interface JobFailure {
  code: FailureCode;
  message: string;
  phase: 'workspace' | 'implementation' | 'checks' | 'audit';
  /** Whether the same request under a new key may succeed. */
  retryable: boolean;
}

/** What a caller asks for. Everything else was decided when the service was started. */
export interface JobRequest {
  message: string;
  /** Real path. */
  working_dir: string;
  /** The caller's own name for the line of work. */
  thread_id: string | null;
  resume: boolean;
  /** How often the implementer may try before a required check has to pass, 1 to 5. */
  max_attempts: number;
  /** Rounds of tool calls in one turn; null is no limit. */
  max_rounds: number | null;
  require_changes: boolean;
  /** Only where the service was started with a choice of implementers. */
  implementer: string | null;
}

/** What the service was started with, as far as it concerns the result: part of the request's digest. */
export interface JobPolicy {
  implementer: string;
  model: string | null;
  access: 'edit';
  approvals: 'deny';
  checks: 'required' | 'none';
  max_rework: number;
  rework_limit: 'hold' | 'fail';
  auditor: string | null;
  digest_domain: string;
  timeout_ms: number;
  budget_usd: number | null;
}

export interface CheckResult {
  name: string;
  passed: boolean;
  required: boolean;
  exit_code: number | null;
  duration_ms: number;
  output_sha256: string;
  /** The last 4 KiB that it printed. */
  output_tail: string;
  error: string | null;
}

export const SEVERITIES = ['blocker', 'major', 'minor'] as const;

export interface Finding {
  code: string;
  severity: (typeof SEVERITIES)[number];
  message: string;
  evidence_ref?: string;
}

export interface Verdict {
  verdict: 'accept' | 'rework';
  findings: Finding[];
  /** The host, or the runtime that judged. */
  by: string;
  at: number;
  revision: string;
  /** SHA-256 of the findings as canonical JSON. */
  findings_sha256: string;
}

/** One turn of the implementer and what came of it. */
export interface Round {
  run_id: string;
  prompt_sha256: string;
  started_at: number;
  ended_at: number | null;
  checks: CheckResult[];
  revision: string | null;
}

export interface JobLanded {
  form: string;
  made: string | null;
  files: string[];
  at: number;
}

/** What was used by all turns of the implementer; null is unknown. */
export interface JobUsage {
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

export interface JobRecord {
  job_id: string;
  /** Whose it is: the name of the principal. */
  tenant: string;
  surface: string;
  state: JobState;
  submitted_at: number;
  updated_at: number;
  request: JobRequest;
  policy: JobPolicy;
  request_sha256: string;
  workspace: string | null;
  /** The commit that the work began from. */
  base: string | null;
  /** The runtime's own session: rework goes on in it. */
  session: string | null;
  /** What the runtime said of itself when it started. */
  runtime: {
    id: string;
    version: string | null;
    model: string | null;
    sandbox: string | null;
    /** What kept the mode; null when no turn has begun. Absent in records of before. */
    confinement?: Confinement | null;
  } | null;
  /** SHA-256 of the checks as the base commit names them. */
  contract_sha256: string | null;
  rounds: Round[];
  files: ChangedFile[];
  revision: string | null;
  /** Of the patch file's bytes. */
  patch_sha256: string | null;
  /** Ids of the models that answered, where the runtime tells. */
  models: string[];
  /** Repositories that the agent made inside the copy: their files are kept, their history is not. */
  nested: string[];
  /** What the implementer said last. */
  text: string | null;
  usage: JobUsage;
  audits: Verdict[];
  rework_count: number;
  /** Why the last automatic audit came to no verdict; the job waits for a host then. */
  audit_note: string | null;
  failure: JobFailure | null;
  landed: JobLanded | null;
  /** The process that works on it. */
  worker: string | null;
}

export const lastAudit = (job: JobRecord): Verdict | null => job.audits.at(-1) ?? null;
export const checksOf = (job: JobRecord): CheckResult[] => job.rounds.at(-1)?.checks ?? [];
/** A required check that passed, and none that failed. */
export const isVerified = (job: JobRecord): boolean => {
  const required = checksOf(job).filter((one) => one.required);
  return required.length > 0 && required.every(({ passed }) => passed);
};
