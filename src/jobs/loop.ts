/**
 * Four bounded tools on jobs for a model that leads: plan, execute, verify, get_evidence. What is large (plans, patches,
 * output of checks) stays here behind a handle, and comes out in pieces of its choice.
 */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { randomHex } from '../process/random.js';
import type { Core } from '../runs/core.js';
import type { Caller } from '../runs/ports.js';
import { parseObject, str } from '../text/json.js';
import { redact } from '../text/redact.js';
import { sha256 } from './canonical.js';
import { MOST_WAIT } from './changes.js';
import { JobError } from './failure.js';
import { needField, onlyFields, textField, wholeField } from './fields.js';
import { checksOf, isVerified, type JobRecord } from './job.js';
import { TELL_MS, type Told } from './observe.js';
import { readRequest } from './read-request.js';
import type { JobService } from './service.js';
import { checkAuditor } from './settings.js';
import type { JobStore } from './store.js';
import type { JobTool } from './tools.js';
import { runTurn } from './turn.js';
import { nextAction, stateOf } from './wire.js';

export interface LoopOptions {
  jobs: JobService;
  core: Core;
  store: JobStore;
  caller: Caller;
}

/** Characters: of a summary, and of one piece of evidence. */
const SUMMARY = 400;
const MOST_PIECE = 8192;
const MOST_ROUNDS = 50;
/** Characters of a plan that an implementer is given. */
const MOST_PLAN = 150_000;
/** `plan_…` of a plan; `job_….NAME` of what a job left. */
const PLAN = /^plan_[a-f0-9]{24}$/;
const HANDLE = /^(plan_[a-f0-9]{24}|(job_[a-f0-9]{24})\.([a-z]{1,16}(?:\.[0-9]{1,2})?))$/;

interface Plan {
  tenant: string;
  task: string;
  working_dir: string;
  text: string;
}

const summaryOf = (text: string): string => (text.length <= SUMMARY ? text : `${text.slice(0, SUMMARY)} […]`);

function handleOf(handle: string, text: string): JsonObject {
  return { handle, characters: text.length, sha256: sha256(text), summary: summaryOf(text) };
}

const planPrompt = (task: string): string =>
  `Look at this project and write a plan for the task below: which files change and how, in which order, what may go wrong, and how it is checked. Change nothing. Answer with the plan alone.\n\nThe task:\n${task}`;

export const LOOP_INSTRUCTIONS =
  'plan writes a plan and gives its handle; execute begins a job that follows it; verify with wait_ms says what came of it; get_evidence reads plans, patches and output by handle, in pieces. A job is accepted and landed by a person (turnout jobs audit, land).';

export function loopTools(options: LoopOptions): JobTool[] {
  const { jobs, core, store, caller } = options;
  const tenant = caller.principal.name;

  function planOf(handle: string): Plan {
    const kept = PLAN.test(handle) ? store.evidence(handle, 'plan') : null;
    const plan = parseObject(kept ?? '');
    const of = (name: keyof Plan) => str(plan, name) ?? '';
    if (plan === undefined || of('tenant') !== tenant) throw new JobError('job_not_found', 'there is no such plan');
    return { tenant, task: of('task'), working_dir: of('working_dir'), text: of('text') };
  }
  async function patchText(job: JobRecord): Promise<string> {
    const bytes = await jobs.patch(job.job_id, caller);
    return bytes === null ? '' : Buffer.from(bytes).toString('utf8');
  }
  /** What a job has left so far, by name. */
  async function evidenceOf(job: JobRecord): Promise<Map<string, string>> {
    const patch = await patchText(job);
    const checks = checksOf(job).map((one, index) => [`check.${index}`, one.output_tail] as const);
    const all = [['patch', patch], ['answer', redact(job.text ?? '')], ...checks] as const;
    return new Map(all.filter(([, text]) => text !== ''));
  }
  async function evidence(handle: string): Promise<string> {
    const [, whole, job, name = ''] = HANDLE.exec(handle) ?? [];
    if (whole !== undefined && job === undefined) return planOf(whole).text;
    const text = job === undefined ? undefined : (await evidenceOf(jobs.get(job, caller))).get(name);
    if (text === undefined) throw new JobError('job_not_found', `there is no evidence ${handle.slice(0, 80)}`);
    return text;
  }

  async function plan(fields: JsonObject): Promise<JsonObject> {
    onlyFields(fields, ['task', 'working_dir'], 'plan');
    const rules = { roots: jobs.settings.roots, cwd: core.cwd, choice: false, maxRounds: null };
    const asked = { message: fields['task'] ?? null, working_dir: fields['working_dir'] ?? null };
    const { message: task, working_dir } = readRequest(asked, rules);
    const { id, model } = checkAuditor(jobs.settings.implementer, core.runners);
    const handle = `plan_${randomHex(12)}`;
    const { timeoutMs, budgetUsd } = jobs.settings;
    const turn = { job: handle, tenant: caller.principal, runtime: id, model, cwd: working_dir, session: null };
    const { run } = await runTurn(
      core,
      { ...turn, prompt: planPrompt(task), access: 'read', maxRounds: MOST_ROUNDS, timeoutMs, budgetUsd },
      () => {},
    );
    if (run.status !== 'completed' || !run.text)
      throw new JobError('service_unavailable', run.error?.message ?? 'the runtime wrote no plan', { retryable: true });
    const kept: Plan = { tenant, task, working_dir, text: run.text };
    store.putEvidence(handle, 'plan', JSON.stringify(kept));
    return { ok: true, plan: handleOf(handle, run.text) };
  }

  async function execute(fields: JsonObject): Promise<JsonObject> {
    onlyFields(fields, ['plan', 'idempotency_key'], 'execute');
    const handle = needField(textField(fields, 'plan', { most: 64 }), 'plan');
    const { task, working_dir, text } = planOf(handle);
    const message = `${task}\n\nThe plan to follow:\n${text.slice(0, MOST_PLAN)}`;
    const key = fields['idempotency_key'] ?? handle;
    const { job } = await jobs.submit(key, { message, working_dir }, caller);
    return { ok: true, job_id: job.job_id, state: stateOf(job, null) };
  }

  async function verify(fields: JsonObject, signal: AbortSignal, told: Told): Promise<JsonObject> {
    onlyFields(fields, ['job_id', 'wait_ms'], 'verify');
    const waitMs = wholeField(fields, 'wait_ms', 0, MOST_WAIT) ?? 0;
    const until = performance.now() + waitMs;
    let job = jobs.get(fields['job_id'], caller);
    while (nextAction(job) === 'wait' && performance.now() < until && !signal.aborted) {
      told(job.state);
      await jobs.changes.next(Math.min(TELL_MS, until - performance.now()), signal);
      job = jobs.get(job.job_id, caller);
    }
    const found = await evidenceOf(job);
    const handles: Json[] = [...found].map(([name, text]) => ({
      ...{ handle: `${job.job_id}.${name}`, characters: text.length },
    }));
    return {
      ok: true,
      job_id: job.job_id,
      state: stateOf(job, null),
      next_action: nextAction(job),
      verified: isVerified(job),
      checks: checksOf(job).map(({ name, passed, required }) => ({ name, passed, required })),
      files: job.files.slice(0, 50).map(({ path, status }) => ({ path, status })),
      implementation_revision_sha256: job.revision ?? '',
      failure_code: job.failure?.code ?? null,
      evidence: handles,
    };
  }

  async function getEvidence(fields: JsonObject): Promise<JsonObject> {
    onlyFields(fields, ['handle', 'offset', 'limit'], 'get_evidence');
    const handle = needField(textField(fields, 'handle', { most: 128 }), 'handle');
    const offset = wholeField(fields, 'offset', 0, 1_000_000_000) ?? 0;
    const limit = wholeField(fields, 'limit', 1, MOST_PIECE) ?? MOST_PIECE;
    const text = await evidence(handle);
    const piece = text.slice(offset, offset + limit);
    const next = offset + piece.length;
    return { ok: true, handle, text: piece, characters: text.length, next_offset: next < text.length ? next : null };
  }

  const closed = (required: string[], properties: JsonObject): JobTool['inputSchema'] => {
    return { type: 'object', additionalProperties: false, required, properties };
  };
  const text = (maxLength: number): JsonObject => ({ type: 'string', minLength: 1, maxLength });
  return [
    {
      name: 'plan',
      description:
        'Has the implementer look at a project and write a plan for a task, without changing anything. The plan stays here: you get a handle and its beginning.',
      inputSchema: closed(['task', 'working_dir'], { task: text(200_000), working_dir: text(4096) }),
      call: plan,
    },
    {
      name: 'execute',
      description:
        'Begins a coding job that follows a plan, in a private copy. The same key is the same job; without one, each plan has one job.',
      inputSchema: closed(['plan'], { plan: text(64), idempotency_key: text(128) }),
      call: execute,
    },
    {
      name: 'verify',
      description:
        'Says what a job came to: its state, whether the required checks of the project passed, the files it changed, and handles of the evidence. wait_ms waits for the end of its work.',
      inputSchema: closed(['job_id'], {
        job_id: { type: 'string', pattern: '^job_[a-f0-9]{24}$' },
        wait_ms: { type: 'integer', minimum: 0, maximum: MOST_WAIT },
      }),
      call: verify,
    },
    {
      name: 'get_evidence',
      description: `Reads a piece of a plan, a patch, an answer or the output of a check by its handle, ${MOST_PIECE} characters at most.`,
      inputSchema: closed(['handle'], {
        handle: text(128),
        offset: { type: 'integer', minimum: 0 },
        limit: { type: 'integer', minimum: 1, maximum: MOST_PIECE },
      }),
      call: getEvidence,
    },
  ];
}
