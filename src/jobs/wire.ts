/** A job as callers see it: the fields of flyto-ai 0.20, and with our own names some more. */

import type { JsonObject } from '../contract/vocabulary.js';
import { redact } from '../text/redact.js';
import { changeToken, MOST_WAIT } from './changes.js';
import { checksOf, isLandable, isVerified, type JobRecord, type JobState, lastAudit, TERMINAL } from './job.js';

export type Compat = 'flyto' | null;

/** The names that flyto-ai has for our states. */
const FLYTO_STATES: Readonly<Record<JobState, string>> = {
  queued: 'queued',
  running: 'running',
  checking: 'running',
  awaiting_audit: 'awaiting_codex_audit',
  rework_queued: 'rework_queued',
  rework_running: 'rework_running',
  rework_checking: 'rework_running',
  accepted: 'codex_accepted',
  landing: 'codex_accepted',
  landed: 'codex_accepted',
  failed: 'failed',
  cancelled: 'failed',
};

/** Milliseconds a caller gives others before it asks again. */
const RETRY_MS = 250;

const seconds = (ms: number): number => ms / 1000;

export const stateOf = (job: JobRecord, compat: Compat): string =>
  compat === 'flyto' ? FLYTO_STATES[job.state] : job.state;

const isOver = ({ state }: JobRecord): boolean => TERMINAL.has(state);

/** What can be done about a failure, in words that a program can act on. */
function requiredActions(job: JobRecord): string[] {
  if (job.failure === null) return [];
  return job.failure.retryable ? ['resubmit_with_new_key'] : ['fix_cause_then_resubmit'];
}

export function summaryView(job: JobRecord, compat: Compat): JsonObject {
  const failure = job.state === 'cancelled' ? { code: 'cancelled', phase: '', retryable: true } : job.failure;
  const blockers = checksOf(job).filter(({ passed, required }) => required && !passed);
  return {
    service_contract_version: compat === 'flyto' ? 'flyto.coding-service.v2' : 'turnout.coding-service.v1',
    job_id: job.job_id,
    state: stateOf(job, compat),
    submitted_at: seconds(job.submitted_at),
    updated_at: seconds(job.updated_at),
    job_terminal: isOver(job),
    landable: isLandable(job.state) || (compat === 'flyto' && (job.state === 'landing' || job.state === 'landed')),
    implementer_started: job.rounds.length > 0,
    implementation_revision_sha256: job.revision ?? '',
    audit_count: job.audits.length,
    rework_count: job.rework_count,
    implementation_blockers: [],
    verification_blockers: blockers.map(({ name }) => name),
    failure_code: failure?.code ?? null,
    failure_phase: failure?.phase ?? '',
    retryable: failure?.retryable ?? false,
    required_actions: requiredActions(job),
    ...(compat === 'flyto' ? {} : { audit_note: job.audit_note }),
  };
}

function resultOf(job: JobRecord): JsonObject | null {
  if (job.rounds.length === 0 || job.rounds.at(-1)?.ended_at === null) return null;
  return {
    ok: job.revision !== null && job.failure === null,
    message: redact(job.failure?.message ?? job.text ?? ''),
    thread_id: job.request.thread_id ?? '',
    attempts: job.rounds.length,
    status: job.failure === null ? 'completed' : 'failed',
    files_changed: job.files.map(({ path }) => path),
    checks: checksOf(job).map(({ output_tail: _tail, ...check }) => ({ ...check })),
    capabilities: [],
    usage: { ...job.usage },
    rounds_used: job.rounds.length,
    failure_code: job.failure?.code ?? null,
    command_sandbox: job.runtime?.sandbox ?? '',
  };
}

/** @param compat `flyto`: exactly its fields */
export function jobView(job: JobRecord, compat: Compat): JsonObject {
  const shared: JsonObject = {
    ...summaryView(job, compat),
    thread_id: job.request.thread_id ?? '',
    evidence_sha256: job.patch_sha256 ?? '',
    result: resultOf(job),
    implementation_backend: job.runtime?.id ?? job.policy.implementer,
    implementation_session_id: job.session ?? '',
    audit_findings_sha256: lastAudit(job)?.findings_sha256 ?? '',
  };
  if (compat === 'flyto') return shared;
  return {
    ...shared,
    verified: isVerified(job),
    working_dir: job.request.working_dir,
    workspace: job.workspace,
    base: job.base,
    files: job.files.map((file) => ({ ...file })),
    patch_sha256: job.patch_sha256,
    runs: job.rounds.map(({ run_id }) => run_id),
    checks: checksOf(job).map((check) => ({ ...check })),
    audits: job.audits.map(({ findings, ...audit }) => ({ ...audit, findings: findings.map((one) => ({ ...one })) })),
    auditor: job.policy.auditor,
    failure: job.failure === null ? null : { ...job.failure, message: redact(job.failure.message) },
    landed: job.landed === null ? null : { ...job.landed },
    nested_repositories: job.nested,
  };
}

type NextAction = 'audit_exact_revision' | 'landable' | 'none' | 'stop_non_landable' | 'wait';

/** What the caller does next. */
export function nextAction(job: JobRecord): NextAction {
  switch (job.state) {
    case 'awaiting_audit':
      return 'audit_exact_revision';
    case 'accepted':
      return 'landable';
    case 'landed':
      return 'none';
    case 'failed':
    case 'cancelled':
      return 'stop_non_landable';
    case 'queued':
    case 'running':
    case 'checking':
    case 'rework_queued':
    case 'rework_running':
    case 'rework_checking':
    case 'landing':
      return 'wait';
  }
}

/** The word for it in an answer. */
function actionOf(job: JobRecord, compat: Compat): string {
  const next = nextAction(job);
  if (compat !== 'flyto') return next;
  switch (next) {
    case 'audit_exact_revision':
      return 'audit_revision';
    case 'landable':
    case 'none':
      return 'land_accepted_revision';
    case 'stop_non_landable':
      return job.state === 'cancelled' || job.failure?.retryable ? 'retry_same_request' : 'resolve_required_actions';
    case 'wait':
      return next;
  }
}

export interface Observed {
  job: JobRecord;
  changed: boolean;
  timed_out: boolean;
  waited_ms: number;
}

export function observationView(
  { job, changed, timed_out, waited_ms }: Observed,
  detail: string,
  now: number,
  compat: Compat,
): JsonObject {
  const next = actionOf(job, compat);
  return {
    detail,
    change_token: changeToken(job),
    changed,
    timed_out,
    waited_ms,
    retry_after_ms: timed_out ? RETRY_MS : 0,
    recommended_wait_ms: next === 'wait' ? MOST_WAIT : 0,
    progress_age_ms: Math.max(0, now - job.updated_at),
    next_action: next,
  };
}
