/** Coding jobs: a runtime implements in a private copy, another judges exactly what it made, and only then it may land. */

import { readFile } from 'node:fs/promises';
import type { Json } from '../contract/vocabulary.js';
import { randomHex } from '../process/random.js';
import type { Core } from '../runs/core.js';
import type { Caller } from '../runs/ports.js';
import { placesOf, readRecord } from '../workspace/paths.js';
import { removeFiles } from '../workspace/remove.js';
import { applyVerdict, checkRevision } from './audit.js';
import { digestOf, sha256 } from './canonical.js';
import { type Changes, changesOf } from './changes.js';
import { contractInFolder } from './contract-file.js';
import { JobError, REFUSED } from './failure.js';
import { type JobRecord, type JobRequest, type JobState, TERMINAL, WAITING, WORKING } from './job.js';
import { type LandRequest, landJob } from './landing.js';
import { readAudit, readJobId, readKey, readRequest } from './read-request.js';
import { receiptOf } from './receipt/sign.js';
import { recoverJobs } from './recover.js';
import { checkAuditor, checkImplementer, type JobSettings, policyOf } from './settings.js';
import type { JobStore } from './store.js';
import { type Workers, workersOf } from './workers.js';

export interface JobServiceOptions {
  core: Core;
  store: JobStore;
  settings: JobSettings;
  env: NodeJS.ProcessEnv;
  /** Told what a caller can't be told. */
  complain(message: string): void;
  /** Milliseconds since 1970. */
  now?(): number;
  /** Whether jobs that wait are worked on here, whoever submitted them (yes when absent). */
  takeWaiting?: boolean;
  /** Why new work is refused: an upgrade waits, say. Null: it is not. */
  refuse?(): JobError | null;
}

export interface Submitted {
  job: JobRecord;
  /** The key was seen before: this is the job it was given then. */
  replayed: boolean;
}

export interface JobService {
  readonly settings: JobSettings;
  /** @throws JobError */
  submit(key: Json | undefined, request: Json | undefined, caller: Caller): Promise<Submitted>;
  /** @throws JobError job_not_found */
  get(id: Json | undefined, caller: Caller): JobRecord;
  list(filter: { limit: number; state?: JobState }, caller: Caller): JobRecord[];
  /** @throws JobError */
  audit(id: Json | undefined, verdict: Json | undefined, caller: Caller): Promise<JobRecord>;
  /** Ends a job that is not accepted yet; its copy stays until it is cleaned up. @throws JobError */
  cancel(id: Json | undefined, caller: Caller): Promise<JobRecord>;
  /** Brings an accepted change into the user's folder. @throws JobError */
  land(id: Json | undefined, how: LandRequest, caller: Caller): Promise<JobRecord>;
  /** The signed receipt of a job that was accepted. @throws JobError */
  receipt(id: Json | undefined, caller: Caller): string;
  /** The whole patch as it was last read; null before there is one. @throws JobError */
  patch(id: Json | undefined, caller: Caller): Promise<Uint8Array | null>;
  /** Removes the copy of a job that is over. @throws JobError */
  discard(id: Json | undefined, caller: Caller): Promise<JobRecord>;
  changes: Changes;
  /** Resolves when this process works on no job any more. */
  idle(): Promise<void>;
  /** Ends the work of this process: what is under way fails with `service_restarted`. */
  close(): Promise<void>;
}

function sees(job: JobRecord, { principal }: Caller): boolean {
  return principal.kind === 'owner' || principal.name === job.tenant;
}

export function createJobService(options: JobServiceOptions): JobService {
  const { core, store, settings, env } = options;
  const now = options.now ?? Date.now;
  const implementer = checkImplementer(settings.implementer, core.runners);
  const auditor = settings.auditor === null ? null : checkAuditor(settings.auditor, core.runners);
  if (auditor?.id === implementer.id)
    options.complain(
      `${auditor.id} audits its own work: the same program may not see its own mistakes; name another --auditor`,
    );
  const changes = changesOf(store);
  const workers: Workers = workersOf({ ...options, now, changes });

  function need(id: Json | undefined, caller: Caller): JobRecord {
    const found = store.get(readJobId(id));
    if (found === null || !sees(found, caller)) throw new JobError('job_not_found', 'there is no such job');
    return found;
  }

  function freshJob(request: JobRequest, caller: Caller): JobRecord {
    const chosen = request.implementer === null ? implementer : checkImplementer(request.implementer, core.runners);
    const policy = policyOf(settings, chosen);
    const at = now();
    return {
      job_id: `job_${randomHex(12)}`,
      tenant: caller.principal.name,
      surface: caller.surface,
      state: 'queued',
      submitted_at: at,
      updated_at: at,
      request,
      policy,
      request_sha256: digestOf({ request: { ...request }, policy: { ...policy } }),
      ...{ workspace: null, base: null, session: null, runtime: null, contract_sha256: null, rounds: [], files: [] },
      ...{
        revision: null,
        patch_sha256: null,
        models: [],
        nested: [],
        text: null,
        audits: [],
        rework_count: 0,
        audit_note: null,
      },
      ...{
        usage: { input_tokens: null, output_tokens: null, cost_usd: null },
        failure: null,
        landed: null,
        worker: null,
      },
    };
  }

  async function submit(key: Json | undefined, value: Json | undefined, caller: Caller): Promise<Submitted> {
    if (caller.principal.kind === 'guest')
      throw new JobError(
        'workspace_denied',
        'guests can not submit jobs: they would work with the logins of the owner',
        REFUSED,
      );
    const named = sha256(readKey(key));
    const rules = { roots: settings.roots, cwd: core.cwd, choice: settings.choice };
    const request = readRequest(value, { ...rules, maxRounds: settings.compat === 'flyto' ? 30 : null });
    const job = freshJob(request, caller);
    const seen = store.key(job.tenant, named);
    if (seen !== null) {
      if (seen.request_sha256 !== job.request_sha256)
        throw new JobError('idempotency_conflict', 'this idempotency key was used for another request', REFUSED);
      return { job: need(seen.job_id, caller), replayed: true };
    }
    const refused = options.refuse?.() ?? null;
    if (refused !== null) throw refused;
    if (settings.checks === 'required') await contractInFolder(request.working_dir);
    await workers.room();
    // The same key may have come in meanwhile: then that job is the answer.
    const meanwhile = store.key(job.tenant, named);
    if (meanwhile !== null) return submit(key, value, caller);
    store.add(job, named, settings.queue);
    changes.tell();
    workers.take(job.job_id);
    return { job, replayed: false };
  }

  async function audit(id: Json | undefined, verdict: Json | undefined, caller: Caller): Promise<JobRecord> {
    const asked = readAudit(verdict);
    const job = need(id, caller);
    await checkRevision(job, asked, env);
    const by = { name: 'host', at: now() };
    const after = applyVerdict(store, job.job_id, asked, by);
    changes.tell();
    if (after.state === 'accepted') workers.sign(after.job_id);
    if (after.state === 'rework_queued') workers.take(after.job_id);
    if (after.failure?.code === 'rework_limit_reached')
      throw new JobError('rework_limit_reached', `${settings.maxRework} reworks are the limit: the job has failed`);
    return after;
  }

  async function cancel(id: Json | undefined, caller: Caller): Promise<JobRecord> {
    const { job_id } = need(id, caller);
    const after = store.change(job_id, (job) => {
      if (TERMINAL.has(job.state))
        throw new JobError('job_state_conflict', `the job is ${job.state}; it can not be cancelled any more`);
      Object.assign(job, { state: 'cancelled', worker: null, updated_at: now() });
    });
    changes.tell();
    await workers.stop(job_id);
    return after;
  }

  async function discard(id: Json | undefined, caller: Caller): Promise<JobRecord> {
    const job = need(id, caller);
    if (job.state !== 'failed' && job.state !== 'cancelled' && job.state !== 'landed' && job.state !== 'accepted')
      throw new JobError('job_state_conflict', `the job is ${job.state}; cancel it first`);
    if (job.workspace === null) return job;
    await removeFiles(await readRecord(job.workspace, env), env, now());
    return job;
  }

  const lost = recoverJobs(store, now());
  if (lost > 0) changes.tell();
  if (options.takeWaiting ?? true)
    for (const state of WAITING)
      for (const { job_id } of store.list({ limit: settings.queue, state, tenant: null })) workers.take(job_id);

  return {
    settings,
    submit,
    audit,
    cancel,
    discard,
    changes,
    get(id, caller) {
      const job = need(id, caller);
      // Its process may have died since.
      if (!WORKING.has(job.state) || job.worker === null || store.isAlive(job.worker)) return job;
      recoverJobs(store, now());
      return need(id, caller);
    },
    list: (filter, caller) =>
      store.list({ ...filter, tenant: caller.principal.kind === 'owner' ? null : caller.principal.name }),
    async land(id, how, caller) {
      const { job_id } = need(id, caller);
      const landed = await landJob({ store, env, now, sign: workers.sign, tell: changes.tell }, job_id, how);
      return landed;
    },
    receipt: (id, caller) => receiptOf(store, need(id, caller), env, core.version),
    async patch(id, caller) {
      const { workspace, patch_sha256: digest } = need(id, caller);
      if (workspace === null || digest === null) return null;
      return readFile(placesOf(workspace, env).patch);
    },
    idle: () => workers.idle(),
    close: () => workers.close(),
  };
}
