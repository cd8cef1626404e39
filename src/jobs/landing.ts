/** Brings an accepted change into the user's folder: a separate act, of exactly the revision that was accepted. */

import { WorkspaceError } from '../workspace/failure.js';
import { type Landed, type LandForm, landWorkspace } from '../workspace/land.js';
import { readRecord } from '../workspace/paths.js';
import { removeFiles } from '../workspace/remove.js';
import { mustBeRevision } from './audit.js';
import { type JobDetails, JobError } from './failure.js';
import type { JobRecord } from './job.js';
import type { JobStore } from './store.js';

export interface LandRequest {
  form: LandForm;
  /** First line of the commit. */
  message?: string;
  /** For `patch`: the file. */
  to?: string;
}

export interface LandingOptions {
  store: JobStore;
  env: NodeJS.ProcessEnv;
  now(): number;
  /** Writes the receipt anew. */
  sign(job: string): void;
  tell(): void;
}

/** The line that leads from a commit to its job. */
const trailersOf = (job: JobRecord): string[] => [
  `Agent-Run: ${job.rounds.at(-1)?.run_id ?? job.job_id}`,
  `Agent-Job: ${job.job_id}`,
  `Agent-Revision: sha256:${job.revision ?? ''}`,
];

const firstLine = (text: string): string => {
  const line = text.split('\n')[0]?.trim() ?? '';
  return line.length <= 72 ? line : `${line.slice(0, 69).replace(/[\ud800-\udbff]$/, '')}...`;
};

function asJobError(error: unknown): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  const conflict = error.reason === 'conflict' || error.reason === 'changed-meanwhile';
  const details: JobDetails = error.paths.length > 0 ? { paths: error.paths.slice(0, 100) } : {};
  return new JobError(conflict ? 'land_conflict' : 'land_failed', error.message, details, { cause: error });
}

async function bring(job: JobRecord, how: LandRequest, { env, now }: LandingOptions): Promise<Landed> {
  if (job.workspace === null) throw new JobError('revision_unavailable', 'the job has no copy');
  const record = await readRecord(job.workspace, env);
  if (record.change === null || record.base !== job.base)
    throw new JobError('revision_mismatch', 'the copy is not the one that was accepted');
  await mustBeRevision(job, env);
  return landWorkspace(record, {
    form: how.form,
    env,
    now: now(),
    message: how.message ?? firstLine(job.request.message),
    trailers: trailersOf(job),
    ...(how.to === undefined ? {} : { to: how.to }),
  });
}

/** @throws JobError land_conflict with the paths; nothing was touched then */
export async function landJob(options: LandingOptions, id: string, how: LandRequest): Promise<JobRecord> {
  const { store, env, now, tell } = options;
  const job = store.change(id, (one) => {
    if (one.state !== 'accepted')
      throw new JobError('job_state_conflict', `the job is ${one.state}; only an accepted one can land`);
    Object.assign(one, { state: 'landing', worker: store.worker, updated_at: now() });
  });
  tell();
  let landed: Landed;
  try {
    landed = await bring(job, how, options);
  } catch (error) {
    store.change(id, (one) => Object.assign(one, { state: 'accepted', worker: null, updated_at: now() }));
    tell();
    throw asJobError(error);
  }
  const after = store.change(id, (one) => {
    const entry = { form: landed.form, made: landed.made, files: landed.files, at: now() };
    // A patch file lands nothing yet.
    const state = how.form === 'patch' ? 'accepted' : 'landed';
    Object.assign(one, { state, worker: null, landed: entry, updated_at: now(), audit_note: null });
  });
  options.sign(id);
  tell();
  if (after.state === 'landed' && after.workspace !== null)
    await removeFiles(await readRecord(after.workspace, env), env, now());
  return after;
}
