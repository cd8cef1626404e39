/** What a caller submits, gets and judges, read strictly. */

import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { Json } from '../contract/vocabulary.js';
import { digestOf } from './canonical.js';
import { JobError, REFUSED } from './failure.js';
import { needField, onlyFields, switchField, textField, wholeField } from './fields.js';
import { type Finding, type JobRequest, SEVERITIES } from './job.js';

const KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const THREAD = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const JOB_ID = /^job_[a-f0-9]{24}$/;
const REVISION = /^[a-f0-9]{64}$/;
const CODE = /^[A-Za-z][A-Za-z0-9_.-]{1,63}$/;
const EVIDENCE = /^[A-Za-z0-9][A-Za-z0-9_.:#/@-]{0,255}$/;
const MOST_MESSAGE = 200_000;
const MOST_FINDINGS = 50;

export const MOST_BODY = 256 * 1024;

export interface RequestRules {
  /** Folders that jobs may work in, real paths; null: any. */
  roots: readonly string[] | null;
  /** Where relative folders begin. */
  cwd: string;
  /** Whether callers may name the implementer. */
  choice: boolean;
  /** Used where the caller names no limit of rounds. */
  maxRounds: number | null;
}

const FIELDS = [
  'message',
  'working_dir',
  'thread_id',
  'resume',
  'max_attempts',
  'max_rounds',
  'require_changes',
] as const;

const isInside = (path: string, root: string): boolean => {
  const way = relative(root, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
};

function folderOf(path: string, { roots, cwd }: RequestRules): string {
  let real: string;
  try {
    real = realpathSync(isAbsolute(path) ? path : `${cwd}${sep}${path}`);
  } catch {
    throw new JobError('invalid_request', 'working_dir: there is no such folder');
  }
  if (!statSync(real).isDirectory()) throw new JobError('invalid_request', 'working_dir: it is not a folder');
  if (roots !== null && !roots.some((root) => isInside(real, root)))
    throw new JobError('workspace_denied', 'working_dir lies outside the folders that this service works in', REFUSED);
  return real;
}

/** @throws JobError invalid_request, workspace_denied */
export function readRequest(value: Json | undefined, rules: RequestRules): JobRequest {
  const fields = onlyFields(value, rules.choice ? [...FIELDS, 'implementer'] : FIELDS, 'coding request');
  const message = needField(textField(fields, 'message', { most: MOST_MESSAGE }), 'message').trim();
  const folder = needField(textField(fields, 'working_dir', { most: 4096 }), 'working_dir');
  const thread = textField(fields, 'thread_id', { most: 64, pattern: THREAD, form: 'letters, digits and _.-' });
  const resume = switchField(fields, 'resume') ?? false;
  if (resume && thread === undefined) throw new JobError('invalid_request', 'resume needs thread_id');
  return {
    message,
    thread_id: thread ?? null,
    resume,
    max_attempts: wholeField(fields, 'max_attempts', 1, 5) ?? 3,
    max_rounds: wholeField(fields, 'max_rounds', 1, 100) ?? rules.maxRounds,
    require_changes: switchField(fields, 'require_changes') ?? true,
    implementer: textField(fields, 'implementer', { most: 128 }) ?? null,
    working_dir: folderOf(folder, rules),
  };
}

/** @throws JobError invalid_request */
export function readKey(value: Json | undefined): string {
  if (typeof value !== 'string' || !KEY.test(value))
    throw new JobError('invalid_request', 'idempotency_key: expected 1 to 128 letters, digits and _.-');
  return value;
}

/** @throws JobError job_not_found for what can't be an id */
export function readJobId(value: Json | undefined): string {
  if (typeof value !== 'string' || !JOB_ID.test(value)) throw new JobError('job_not_found', 'there is no such job');
  return value;
}

export interface AuditRequest {
  revision: string;
  verdict: 'accept' | 'rework';
  findings: Finding[];
  findings_sha256: string;
}

function readFinding(value: Json): Finding {
  const fields = onlyFields(value, ['code', 'severity', 'message', 'evidence_ref'], 'finding');
  const code = needField(textField(fields, 'code', { most: 64, pattern: CODE, form: 'a word' }), 'code');
  const severity = SEVERITIES.find((one) => one === fields['severity']);
  if (severity === undefined) throw new JobError('invalid_request', `severity: expected ${SEVERITIES.join(', ')}`);
  const message = needField(textField(fields, 'message', { most: 2000 }), 'message');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(message))
    throw new JobError('invalid_request', 'message: control characters are not allowed');
  const evidence = textField(fields, 'evidence_ref', { most: 256, pattern: EVIDENCE, form: 'a path or a name' });
  return { code, severity, message, ...(evidence === undefined ? {} : { evidence_ref: evidence }) };
}

/** An accept has no findings, a rework at least one. @throws JobError invalid_request */
export function readAudit(value: Json | undefined): AuditRequest {
  const fields = onlyFields(value, ['implementation_revision_sha256', 'verdict', 'findings'], 'audit');
  const revision = fields['implementation_revision_sha256'];
  if (typeof revision !== 'string' || !REVISION.test(revision))
    throw new JobError('invalid_request', 'implementation_revision_sha256: expected 64 hexadecimal digits');
  const { verdict, findings: given } = fields;
  if (verdict !== 'accept' && verdict !== 'rework')
    throw new JobError('invalid_request', 'verdict: expected accept or rework');
  if (!Array.isArray(given) || given.length > MOST_FINDINGS)
    throw new JobError('invalid_request', `findings: expected at most ${MOST_FINDINGS}`);
  const findings = given.map(readFinding);
  if (verdict === 'accept' && findings.length > 0)
    throw new JobError('invalid_request', 'accept: findings must be empty');
  if (verdict === 'rework' && findings.length === 0)
    throw new JobError('invalid_request', 'rework: expected at least one finding');
  return { revision, verdict, findings, findings_sha256: digestOf(findings.map((one) => ({ ...one }))) };
}
