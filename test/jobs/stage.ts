/** Jobs whose agents are functions of the test: real repositories, copies, checks and store. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Event } from '../../src/contract/event.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { type JobCode, JobError } from '../../src/jobs/failure.js';
import type { JobRecord, JobState } from '../../src/jobs/job.js';
import { createJobService, type JobService } from '../../src/jobs/service.js';
import { type JobSettings, SETTINGS } from '../../src/jobs/settings.js';
import { type JobStore, jobsDir, openJobStore } from '../../src/jobs/store.js';
import { type Core, createCore } from '../../src/runs/core.js';
import type { TurnPlan } from '../../src/runs/plan.js';
import type { Caller } from '../../src/runs/ports.js';
import { ownerAt } from '../../src/runs/sight.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { begins, done, says } from '../runs/fake-turn.js';
import { runner } from '../turn/stage.js';
import { type User, withUser } from '../workspace/lay-out.js';

/** What an agent does with a prompt; what it returns is what it says. */
export type Agent = (turn: { plan: TurnPlan; cwd: string; prompt: string; cancelled: AbortSignal }) => Promise<Said>;
export type Said = string | { text?: string; session?: string; fails?: TurnErrorCode };

export const HOST: Caller = ownerAt('test');
export const CONTRACT = (script: string, more = ''): string =>
  `version: turnout.coding-config.v1\nchecks:\n  - name: unit\n    argv: ["sh", "-c", ${JSON.stringify(script)}]\n    timeout_seconds: 20\n${more}`;

const modes = { native_sandbox: 'none', approvals: 'off', gaps: [] } as const;
const RUNNERS = [
  runner({ id: 'maker', access: { edit: modes, read: modes } }),
  runner({ id: 'judge', access: { read: modes } }),
  runner({ id: 'forgetful', access: { edit: modes }, resume: false }),
];

const started = (pid: number, runtime: string, cwd: string): Event => {
  const event = begins(pid);
  return event.type === 'start' ? { ...event, runtime, cwd, runtime_version: '1.2.3' } : event;
};
const ended = (totals: { input_tokens: number; output_tokens: number; cost_usd: number }): Event => {
  const event = done(0);
  return event.type === 'done' ? { ...event, totals: { ...totals, cached_tokens: 0 } } : event;
};

function coreWith(agent: Agent, cwd: string): Core {
  let pid = 1;
  return createCore({
    store: memoryStore(),
    runners: RUNNERS,
    ambient: { PATH: process.env['PATH'] },
    cwd,
    turnout: [],
    version: '0.0.0',
    start(plan, emit, fresh) {
      const abort = new AbortController();
      const { request } = plan;
      async function play(): Promise<number> {
        emit(started(pid++, request.runtime, request.cwd));
        const said = await agent({ plan, cwd: request.cwd, prompt: request.prompt, cancelled: abort.signal });
        const { text = '', session, fails }: Exclude<Said, string> = typeof said === 'string' ? { text: said } : said;
        emit({ v: 1, type: 'session', session_id: session ?? request.resume ?? fresh });
        emit(says(text));
        if (abort.signal.aborted || fails !== undefined) {
          const code = fails ?? 'cancelled';
          emit({ v: 1, type: 'error', code, message: `the agent failed with ${code}`, fatal: true });
          emit({ ...done(fails === undefined ? 130 : 1) });
          return 1;
        }
        const tokens = { input_tokens: 10, output_tokens: 5, cost_usd: 0.01 };
        emit({ v: 1, type: 'usage', ...tokens, cached_tokens: 0 });
        const result = { subtype: 'success', is_error: false, stop_reason: 'end_turn', text, output: text } as const;
        emit({ v: 1, type: 'result', ...result, ...tokens });
        emit(ended(tokens));
        return 0;
      }
      const nothing = () => {};
      const played = play();
      return {
        ...{ frame: nothing, stdinClosed: nothing, pause: nothing, resume: nothing },
        cancel: () => abort.abort(),
        done: played,
      };
    },
  });
}

export interface Stage {
  one: User;
  jobs: JobService;
  store: JobStore;
  core: Core;
  submit(changes?: JsonObject, key?: string): Promise<JobRecord>;
  /** Waits until the job is in one of these states. */
  until(id: string, ...states: JobState[]): Promise<JobRecord>;
  audit(job: JobRecord, verdict: 'accept' | 'rework', findings?: Json[]): Promise<JobRecord>;
  /** Another process of the same person. */
  another(agent: Agent, settings?: Partial<JobSettings>): Promise<Pick<Stage, 'jobs' | 'store'>>;
}

export const FINDING = { code: 'missing.doc', severity: 'minor', message: 'Add a comment', evidence_ref: 'made.txt:1' };

export async function refused(code: JobCode, work: Promise<unknown> | (() => unknown)): Promise<JobError> {
  const error = await Promise.resolve()
    .then(() => (typeof work === 'function' ? work() : work))
    .then(
      () => null,
      (caught: unknown) => caught,
    );
  assert.ok(error instanceof JobError, `expected ${code}, not ${String(error)}`);
  assert.is(error.code, code, error.message);
  return error;
}

export const put = (cwd: string, path: string, text: string): void => writeFileSync(join(cwd, path), text);

/** @param script what the check runs; null: the project has no checks */
export async function withJobs(
  agent: Agent,
  use: (stage: Stage) => Promise<void>,
  settings: Partial<JobSettings> & { script?: string | null } = {},
): Promise<void> {
  const { script = 'true', ...given } = settings;
  await withUser(async (one) => {
    if (script !== null) one.write('.turnout/coding.yaml', CONTRACT(script));
    const open: { jobs: JobService; store: JobStore }[] = [];
    const begin = async (does: Agent, more: Partial<JobSettings>) => {
      const core = coreWith(does, one.repo);
      const store = await openJobStore(jobsDir(one.env));
      const all: JobSettings = { ...SETTINGS, implementer: 'maker', ...given, ...more };
      const jobs = createJobService({
        core,
        store,
        settings: all,
        env: one.env,
        complain: (text) => assert.unreachable(text),
      });
      open.push({ jobs, store });
      return { core, store, jobs };
    };
    const { core, store, jobs } = await begin(agent, {});
    let keys = 0;
    try {
      await use({
        ...{ one, jobs, store, core },
        submit: async (changes = {}, key = `k${keys++}`) =>
          (await jobs.submit(key, { message: 'Make it', working_dir: one.repo, ...changes }, HOST)).job,
        async until(id, ...states) {
          for (;;) {
            const job = jobs.get(id, HOST);
            if (states.includes(job.state)) return job;
            if (job.failure !== null) assert.unreachable(`${job.failure.code}: ${job.failure.message}`);
            await jobs.changes.next(1000);
          }
        },
        audit: (job, verdict, findings = verdict === 'accept' ? [] : [FINDING]) =>
          jobs.audit(job.job_id, { implementation_revision_sha256: job.revision, verdict, findings }, HOST),
        another: (does, more = {}) => begin(does, more),
      });
    } finally {
      for (const each of open) {
        await each.jobs.close();
        each.store.close();
      }
    }
  });
}
