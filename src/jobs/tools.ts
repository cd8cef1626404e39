/** The tools of a job service for programs that speak MCP: their schemas, and how their calls are answered. */

import type { JsonObject } from '../contract/vocabulary.js';
import type { Caller } from '../runs/ports.js';
import { MOST_WAIT } from './changes.js';
import { detailsOf, JobError } from './failure.js';
import { onlyFields, textField, wholeField } from './fields.js';
import { SEVERITIES } from './job.js';
import { observe, type Told } from './observe.js';
import type { JobService } from './service.js';
import { type Compat, jobView, observationView, summaryView } from './wire.js';

export interface JobTool {
  name: string;
  description: string;
  inputSchema: JsonObject & { type: 'object' };
  /** @throws JobError */
  call(fields: JsonObject, signal: AbortSignal, told: Told): Promise<JsonObject>;
}

const closed = (required: string[], properties: JsonObject): JsonObject & { type: 'object' } => {
  return { type: 'object', additionalProperties: false, required, properties };
};
const text = (most: number): JsonObject => ({ type: 'string', minLength: 1, maxLength: most });
const whole = (minimum: number, maximum: number): JsonObject => ({ type: 'integer', minimum, maximum });
const JOB_ID = { type: 'string', pattern: '^job_[a-f0-9]{24}$' };
const HEX = { type: 'string', pattern: '^[a-f0-9]{64}$' };

/** Names as flyto-ai 0.20 has them where that was asked for. */
export function jobTools(jobs: JobService, caller: Caller): JobTool[] {
  const { compat, choice } = jobs.settings;
  const prefix = compat === 'flyto' ? 'flyto_coding' : 'coding';
  const request = closed(['message', 'working_dir'], {
    message: text(200_000),
    working_dir: text(4096),
    thread_id: text(64),
    resume: { type: 'boolean' },
    max_attempts: whole(1, 5),
    max_rounds: whole(1, 100),
    require_changes: { type: 'boolean' },
    ...(choice ? { implementer: text(128) } : {}),
  });
  const finding = closed(['code', 'severity', 'message'], {
    code: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_.-]{1,63}$' },
    severity: { type: 'string', enum: [...SEVERITIES] },
    message: text(2000),
    evidence_ref: { type: 'string', maxLength: 256 },
  });
  return [
    {
      name: `${prefix}_submit`,
      description:
        'Gives a coding task to the implementer of this service. It works in a private copy; the same idempotency_key with the same request is the same job.',
      inputSchema: closed(['idempotency_key', 'request'], { idempotency_key: text(128), request }),
      async call(fields) {
        const { idempotency_key: key, request: asked } = onlyFields(fields, ['idempotency_key', 'request'], 'submit');
        return { ok: true, job: jobView((await jobs.submit(key, asked, caller)).job, compat) };
      },
    },
    {
      name: `${prefix}_get`,
      description:
        'Reads a job. With after_change_token (the change_token of an earlier answer) and wait_ms it waits until something changes; detail "summary" is short.',
      inputSchema: closed(['job_id'], {
        job_id: JOB_ID,
        detail: { type: 'string', enum: ['summary', 'full'] },
        after_change_token: HEX,
        wait_ms: whole(0, MOST_WAIT),
      }),
      async call(fields, signal, told) {
        onlyFields(fields, ['job_id', 'detail', 'after_change_token', 'wait_ms'], 'get');
        const detail = textField(fields, 'detail', {
          most: 16,
          pattern: /^(?:summary|full)$/,
          form: 'summary or full',
        });
        const rule = { most: 64, pattern: /^[a-f0-9]{64}$/, form: '64 hexadecimal digits' };
        const after = textField(fields, 'after_change_token', rule);
        const waitMs = wholeField(fields, 'wait_ms', 0, MOST_WAIT) ?? 0;
        if (compat === 'flyto' && waitMs > 0 && (after === undefined || detail !== 'summary'))
          throw new JobError('invalid_request', 'wait_ms: expected after_change_token and detail "summary" with it');
        const how = { waitMs, signal, told, ...(after === undefined ? {} : { after }) };
        const seen = await observe(jobs, fields['job_id'], how, caller);
        const view = detail === 'summary' ? summaryView(seen.job, compat) : jobView(seen.job, compat);
        // A caller that asks for the job alone gets it alone, as the original has it.
        const alone = compat === 'flyto' && Object.keys(fields).length === 1;
        const observation = observationView(seen, detail ?? 'full', Date.now(), compat);
        return { ok: true, job: view, ...(alone ? {} : { observation }) };
      },
    },
    {
      name: `${prefix}_audit`,
      description:
        'Gives your verdict on exactly one revision, after you looked at it and tested it. accept makes it landable; rework needs findings and goes on in the same session.',
      inputSchema: closed(['job_id', 'implementation_revision_sha256', 'verdict', 'findings'], {
        job_id: JOB_ID,
        implementation_revision_sha256: HEX,
        verdict: { type: 'string', enum: ['accept', 'rework'] },
        findings: { type: 'array', maxItems: 50, items: finding },
      }),
      async call({ job_id: id, ...verdict }) {
        return { ok: true, job: jobView(await jobs.audit(id, verdict, caller), compat) };
      },
    },
  ];
}

/** What is answered to a call that the service refuses. */
export function refusedCall(error: JobError): JsonObject {
  return {
    ok: false,
    error: error.code,
    message: error.message,
    ...detailsOf(error),
  };
}

export const instructionsOf = (tools: readonly JobTool[], compat: Compat): string => {
  const [submit, get, audit] = tools.map(({ name }) => name);
  return (
    `${submit} gives a task; ${get} with detail=summary, the last change_token and wait_ms<=${MOST_WAIT} waits for it. ` +
    `At next_action ${compat === 'flyto' ? 'audit_revision' : 'audit_exact_revision'} inspect and test that revision yourself, then call ${audit} on its exact ` +
    'implementation_revision_sha256. A rework keeps job and session. Only an accept is landable. Nothing is staged, committed, pushed or deployed.'
  );
};
