/** One round of a job: the implementer's turn in its copy, the patch, the checks; again while the checks fail and attempts are left. */

import { readFile } from 'node:fs/promises';
import type { Core } from '../runs/core.js';
import { copyRevision } from '../workspace/copy-revision.js';
import { createWorkspace } from '../workspace/create.js';
import { WorkspaceError } from '../workspace/failure.js';
import { takePatch } from '../workspace/patch.js';
import { placesOf, readRecord, WORKSPACE_VARIABLE, type WorkspaceRecord, writeRecord } from '../workspace/paths.js';
import { sha256 } from './canonical.js';
import { runChecks } from './checks.js';
import { type Check, contractOfBase } from './contract-file.js';
import type { CheckResult, JobRecord } from './job.js';
import { failedChecksPrompt } from './prompts.js';
import { revisionOf } from './revision.js';
import { addUsage, RoundFailure, type Steps, turnFailure } from './steps.js';
import { tenantOf } from './tenant.js';
import { runTurn } from './turn.js';

export interface RoundOptions {
  core: Core;
  env: NodeJS.ProcessEnv;
  steps: Steps;
  /** What the implementer is asked. */
  prompt: string;
  signal: AbortSignal;
  now(): number;
  /** Hears which run is under way, so that it can be cancelled. */
  running(run: string): void;
}

/** Where the turn works: the same place below the copy as the user's folder below the repository. */
function folderOf(record: WorkspaceRecord, env: NodeJS.ProcessEnv): string {
  const { tree } = placesOf(record.id, env);
  return `${tree}/${record.repository.prefix}`.replace(/\/$/, '');
}

/** The copy of the job, made when its first round begins. @throws RoundFailure */
async function copyOf(job: JobRecord, { env, steps, now }: RoundOptions): Promise<WorkspaceRecord> {
  if (job.workspace !== null) return readRecord(job.workspace, env);
  const { record } = await createWorkspace({
    cwd: job.request.working_dir,
    isolation: 'clone',
    env,
    now: now(),
    job: job.job_id,
  }).catch((error: unknown) => {
    if (!(error instanceof WorkspaceError)) throw error;
    const { message } = error;
    throw new RoundFailure({ code: 'workspace_unavailable', message, phase: 'workspace', retryable: false });
  });
  steps.change((one) => Object.assign(one, { workspace: record.id, base: record.base }));
  return record;
}

async function implement(job: JobRecord, record: WorkspaceRecord, prompt: string, options: RoundOptions) {
  const { core, steps, now } = options;
  const end = await runTurn(
    core,
    {
      job: job.job_id,
      tenant: tenantOf(job.tenant),
      runtime: job.policy.implementer,
      model: job.policy.model,
      prompt,
      cwd: folderOf(record, options.env),
      access: 'edit',
      session: job.session,
      maxRounds: job.request.max_rounds,
      timeoutMs: job.policy.timeout_ms,
      budgetUsd: job.policy.budget_usd,
    },
    (run_id) => {
      options.running(run_id);
      steps.change((one) => {
        const round = { run_id, prompt_sha256: sha256(prompt), started_at: now(), ended_at: null };
        one.rounds.push({ ...round, checks: [], revision: null });
      });
    },
  );
  const { run, session, start, models } = end;
  steps.change((one) => {
    const round = one.rounds.at(-1);
    if (round) round.ended_at = now();
    one.usage = addUsage(one.usage, run);
    one.text = run.text;
    one.session ??= session;
    one.models = [...new Set([...one.models, ...models])];
    one.runtime = {
      id: run.runtime,
      version: start?.runtime_version ?? null,
      model: run.model,
      sandbox: start?.native_sandbox ?? null,
      confinement: start?.confinement ?? null,
    };
  });
  if (run.status !== 'completed') throw turnFailure(run.error?.code ?? run.stop_reason, run.error?.message ?? null);
  if (job.session !== null && session !== job.session) {
    const message = 'the turn ended in another session than the one that it was to continue';
    throw new RoundFailure({ code: 'session_binding_failed', message, phase: 'implementation', retryable: false });
  }
}

/** @returns whether every required check passed */
async function check(record: WorkspaceRecord, checks: readonly Check[], options: RoundOptions): Promise<CheckResult[]> {
  const { env, signal, steps } = options;
  const copy = await copyRevision(record, env, 'checks');
  try {
    const ambient = { ...options.core.ambient, [WORKSPACE_VARIABLE]: record.id };
    const results = await runChecks(checks, { cwd: copy.cwd, env: ambient, signal });
    steps.change((one) => {
      const round = one.rounds.at(-1);
      if (round) round.checks = results;
    });
    return results;
  } finally {
    await copy.remove();
  }
}

/** The change as it is now, with its number. @throws RoundFailure */
async function readChange(job: JobRecord, record: WorkspaceRecord, { env, now, steps }: RoundOptions): Promise<void> {
  const taken = await takePatch(record, env, now()).catch((error: unknown) => {
    if (!(error instanceof WorkspaceError)) throw error;
    const { message } = error;
    throw new RoundFailure({ code: 'revision_unavailable', message, phase: 'implementation', retryable: false });
  });
  if (taken === null) {
    const message = 'the implementer changed nothing';
    const code = job.request.require_changes ? 'no_changes' : 'revision_unavailable';
    throw new RoundFailure({ code, message, phase: 'implementation', retryable: true });
  }
  const patch = await readFile(taken.path);
  const paths = taken.files.map(({ path }) => path);
  const revision = await revisionOf(placesOf(record.id, env).tree, paths, job.policy.digest_domain);
  steps.change((one) => {
    const nested = [...new Set([...one.nested, ...taken.nested])];
    Object.assign(one, { revision, files: taken.files, nested, patch_sha256: sha256(patch) });
    const round = one.rounds.at(-1);
    if (round) round.revision = revision;
  });
}

/**
 * Ends with the job in a state that can be audited.
 * @throws RoundFailure, Abandoned
 */
export async function playRound(start: JobRecord, options: RoundOptions): Promise<void> {
  const { steps, signal } = options;
  const again = start.state.startsWith('rework');
  const record = await copyOf(start, options);
  const contract = start.policy.checks === 'none' ? null : await contractOfBase(record);
  let job = steps.change((one) => Object.assign(one, { contract_sha256: contract?.sha256 ?? null }));
  let prompt = options.prompt;
  for (let attempt = 1; ; attempt++) {
    await implement(job, record, prompt, options);
    job = steps.change(() => {});
    if (job.session !== null && !record.sessions.includes(job.session)) {
      record.sessions.push(job.session);
      await writeRecord(record, options.env);
    }
    await readChange(job, record, options);
    if (contract === null) return;
    steps.become(again ? 'rework_checking' : 'checking');
    const results = await check(record, contract.checks, options);
    if (signal.aborted) throw turnFailure('cancelled', 'the job was ended');
    const failed = results.filter(({ passed, required }) => required && !passed);
    if (failed.length === 0) return;
    if (attempt >= start.request.max_attempts || job.session === null) {
      const names = failed.map(({ name }) => name).join(', ');
      const message = `required checks fail: ${names}`;
      throw new RoundFailure({ code: 'checks_failed', message, phase: 'checks', retryable: false });
    }
    prompt = failedChecksPrompt(results, start.request.message);
    job = steps.become(again ? 'rework_running' : 'running');
  }
}
