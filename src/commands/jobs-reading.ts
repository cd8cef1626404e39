/** What the commands about coding jobs share: flags, failures, and the service of one command. */

import { realpathSync, statSync } from 'node:fs';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { TurnoutError, UsageError } from '../contract/error.js';
import { ownArgv } from '../exec/own-argv.js';
import { VERSION } from '../exec/version.js';
import { JobError } from '../jobs/failure.js';
import { type OpenJobs, openJobs } from '../jobs/open.js';
import { type JobSettings, SETTINGS } from '../jobs/settings.js';
import { JOB_VARIABLE } from '../jobs/turn.js';
import { flagValue } from '../request/flag-value.js';
import { duration } from '../request/kinds.js';
import { ownerAt } from '../runs/sight.js';
import { StoreError } from '../runs/store/store-error.js';
import { commandRunners } from './own-runners.js';
import { runnerFlag } from './runner-flag.js';
import { byteLimit } from './sizes.js';

export const ME = ownerAt('cli');

export { JSON_FLAG } from './workspace-reading.js';
export const JOB_ARG = { id: Args.string({ description: 'id of a job, or the beginning of one', required: true }) };

/** What a service is started with. */
export const SERVICE_FLAGS = {
  auditor: Flags.string({
    summary: 'a runtime that judges in your place: ID or ID/MODEL',
    helpValue: 'ID',
  }),
  checks: Flags.string({
    summary: 'none: work also without .turnout/coding.yaml; nothing is verified then',
    options: ['required', 'none'],
    default: 'required',
  }),
  'max-rework': Flags.integer({ summary: 'reworks of one job (3)', helpValue: 'N', min: 1, max: 99 }),
  'rework-limit': Flags.string({
    summary: 'what a rework beyond that does: it is refused (hold), or the job fails',
    options: ['hold', 'fail'],
    default: 'hold',
  }),
  root: Flags.string({ summary: 'a folder that jobs may work in (any); repeatable', helpValue: 'DIR', multiple: true }),
  timeout: Flags.string({ summary: 'limit of one turn (1h); 0 is none', helpValue: 'DURATION' }),
  'budget-usd': Flags.string({ summary: 'limit of one turn, where the runtime tells what it costs', helpValue: 'N' }),
  workers: Flags.integer({ summary: 'jobs at once (2)', helpValue: 'N', min: 1, max: 16 }),
  quota: Flags.string({ summary: 'room for all copies (20GB); beyond it jobs are refused', helpValue: 'SIZE' }),
  runner: runnerFlag,
};

export interface ServiceFlags {
  auditor?: string | undefined;
  checks: string;
  'max-rework'?: number | undefined;
  'rework-limit': string;
  root?: string[] | undefined;
  timeout?: string | undefined;
  'budget-usd'?: string | undefined;
  workers?: number | undefined;
  quota?: string | undefined;
}

function rootOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--root: ${path} is not a folder`);
  return realpathSync(path);
}

function money(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new UsageError('--budget-usd: expected a number above 0');
  return value;
}

/** @throws UsageError */
export function settingsOf(implementer: string, flags: ServiceFlags, more: Partial<JobSettings> = {}): JobSettings {
  return {
    ...SETTINGS,
    implementer,
    auditor: flags.auditor ?? null,
    checks: flags.checks === 'none' ? 'none' : 'required',
    maxRework: flags['max-rework'] ?? SETTINGS.maxRework,
    reworkLimit: flags['rework-limit'] === 'fail' ? 'fail' : 'hold',
    roots: flags.root === undefined ? null : flags.root.map(rootOf),
    timeoutMs: flagValue(duration, 'timeout', flags.timeout) ?? SETTINGS.timeoutMs,
    budgetUsd: money(flags['budget-usd']),
    workers: flags.workers ?? SETTINGS.workers,
    quotaBytes: byteLimit('quota', flags.quota, SETTINGS.quotaBytes) ?? SETTINGS.quotaBytes,
    ...more,
  };
}

/** A refusal of the service as one of the command: wrong calls exit with 2, the rest with 1. */
export async function reporting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new TurnoutError('runner-error', error.message, { cause: error });
    if (!(error instanceof JobError)) throw error;
    const options = { cause: error };
    const message = `${error.code}: ${error.message}`;
    switch (error.code) {
      case 'invalid_request':
      case 'job_not_found':
      case 'not_found':
      case 'workspace_denied':
      case 'verification_required':
      case 'verification_contract_invalid':
      case 'audit_state_conflict':
      case 'job_state_conflict':
        throw new UsageError(message, options);
      default:
        throw new TurnoutError('runner-error', message, options);
    }
  }
}

/** An implementer that calls us may look, and decides nothing about its own work. @throws UsageError */
export function refuseImplementer(): void {
  if (process.env[JOB_VARIABLE] !== undefined)
    throw new UsageError('audit_not_enabled: a job can not decide about jobs');
}

/** @param settings null for commands that only look: any implementer does for them */
export async function withJobs<T>(
  settings: JobSettings | null,
  runnerFiles: readonly string[] | undefined,
  use: (open: OpenJobs) => Promise<T>,
): Promise<T> {
  return reporting(async () => {
    const { runners } = await commandRunners(runnerFiles);
    const open = await openJobs({
      settings: settings ?? { ...SETTINGS, implementer: 'demo' },
      runners,
      env: process.env,
      turnout: ownArgv(),
      version: VERSION,
      cwd: process.cwd(),
      takeWaiting: false,
      complain: (message) => void process.stderr.write(`turnout: ${message}\n`),
    });
    try {
      return await use(open);
    } finally {
      await open.close();
    }
  });
}

/** @throws JobError job_not_found, invalid_request when several begin like that */
export function wholeId({ store }: OpenJobs, id: string): string {
  const begun = id.startsWith('job_') ? id : `job_${id}`;
  const [one, other] = store.list({ limit: 10_000, tenant: null }).filter(({ job_id }) => job_id.startsWith(begun));
  if (one === undefined) throw new JobError('job_not_found', `there is no job ${id}; turnout jobs list shows all`);
  if (other !== undefined && one.job_id !== begun) throw new JobError('invalid_request', `${id} means several jobs`);
  return one.job_id;
}
