/** What a job service is started with. Callers can't change it, and it is part of each request's digest. */

import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { JobError } from './failure.js';
import type { JobPolicy } from './job.js';
import { FLYTO_DOMAIN, OWN_DOMAIN } from './revision.js';

export interface JobSettings {
  /** Id of a runtime, `/MODEL` behind it where another than its own is meant. */
  implementer: string;
  /** A runtime that judges; null: the host does. */
  auditor: string | null;
  /** Whether callers may name the implementer. */
  choice: boolean;
  checks: 'required' | 'none';
  /** Reworks of one job, 1 to 99. */
  maxRework: number;
  /** A rework beyond that is refused and the job keeps waiting (`hold`), or the job fails. */
  reworkLimit: 'hold' | 'fail';
  /** Folders that jobs may work in, real paths; null: any. */
  roots: readonly string[] | null;
  /** Of each turn; 0 is no limit. */
  timeoutMs: number;
  budgetUsd: number | null;
  /** Jobs at once. */
  workers: number;
  /** Jobs that may wait. */
  queue: number;
  /** Bytes that the copies of all jobs may take. */
  quotaBytes: number;
  /** The names and rules of another service. */
  compat: 'flyto' | null;
}

export const SETTINGS: Omit<JobSettings, 'implementer'> = {
  auditor: null,
  choice: false,
  checks: 'required',
  maxRework: 3,
  reworkLimit: 'hold',
  roots: null,
  timeoutMs: 60 * 60 * 1000,
  budgetUsd: null,
  workers: 2,
  queue: 100,
  quotaBytes: 20 * 1000 ** 3,
  compat: null,
};

export interface RuntimeChoice {
  id: string;
  model: string | null;
}

/** `claude/opus`: the model may hold more slashes. */
function readChoice(text: string): RuntimeChoice {
  const at = text.indexOf('/');
  return at < 0 ? { id: text, model: null } : { id: text.slice(0, at), model: text.slice(at + 1) || null };
}

/**
 * A rework needs the session, and nothing may be written outside of the copy.
 * @throws JobError invalid_request with what is missing
 */
export function checkImplementer(text: string, runners: readonly Runner[]): RuntimeChoice {
  const { id, model } = readChoice(text);
  const runner = byId(id, runners);
  const refuse = (why: string): never => {
    throw new JobError('invalid_request', `--implementer ${id}: ${why}`);
  };
  if (runner === null) return refuse('there is no such runtime; `turnout agent scan --all` lists them');
  if (runner.unsupported !== undefined) return refuse(runner.unsupported);
  if (!runner.resume) return refuse('it can not continue a session, which a rework needs');
  if (runner.access.edit === undefined) return refuse('it does not keep --access edit, which the work is done at');
  return { id: runner.id, model };
}

/** @throws JobError invalid_request */
export function checkAuditor(text: string, runners: readonly Runner[]): RuntimeChoice {
  const { id, model } = readChoice(text);
  const runner = byId(id, runners);
  const refuse = (why: string): never => {
    throw new JobError('invalid_request', `--auditor ${id}: ${why}`);
  };
  if (runner === null) return refuse('there is no such runtime; `turnout agent scan --all` lists them');
  if (runner.unsupported !== undefined) return refuse(runner.unsupported);
  if (runner.access.read === undefined) return refuse('it does not keep --access read, which an audit is done at');
  return { id: runner.id, model };
}

export function policyOf(settings: JobSettings, implementer: RuntimeChoice): JobPolicy {
  return {
    implementer: implementer.id,
    model: implementer.model,
    access: 'edit',
    approvals: 'deny',
    checks: settings.checks,
    max_rework: settings.maxRework,
    rework_limit: settings.reworkLimit,
    auditor: settings.auditor,
    digest_domain: settings.compat === 'flyto' ? FLYTO_DOMAIN : OWN_DOMAIN,
    timeout_ms: settings.timeoutMs,
    budget_usd: settings.budgetUsd,
  };
}
