/** Ops of coding jobs: what the tools and routes of the job service do, on lines. Reading and rules are the service's own. */

import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../contract/vocabulary.js';
import { MOST_WAIT } from '../../jobs/changes.js';
import { JOB_STATES } from '../../jobs/job.js';
import { observe } from '../../jobs/observe.js';
import type { JobService } from '../../jobs/service.js';
import { jobView, observationView, summaryView } from '../../jobs/wire.js';
import { fieldFault, needText, text, whole, word } from '../../request/fields.js';
import { RequestError } from '../../runs/request-error.js';
import { LAND_FORMS } from '../../workspace/land.js';
import type { Op, OpContext } from './op.js';

const LIMIT = 50;

/** @throws RequestError */
function service({ jobs }: OpContext): JobService {
  if (jobs === null)
    throw new RequestError('this server serves no coding jobs; start it with --jobs RUNTIME', 1, 'not-found');
  return jobs;
}

/** The fields that are the service's to read: unlike those of other ops they are a closed set, so that no wish is passed over. */
function others(fields: JsonObject, ours: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => value !== null && key !== 'op' && key !== 'id' && !ours.includes(key),
    ),
  );
}

const jobId = ({ fields }: OpContext): string => needText(fields, 'job_id');

const submit: Op = async (context) => {
  const jobs = service(context);
  const { fields, caller, reply } = context;
  const { job, replayed } = await jobs.submit(fields['idempotency_key'], others(fields, ['idempotency_key']), caller);
  reply.result('job.submit', true, { job: jobView(job, jobs.settings.compat), replayed });
  return 0;
};

const get: Op = async (context) => {
  const jobs = service(context);
  const { fields, caller, reply } = context;
  const { compat } = jobs.settings;
  const detail = word(fields, 'detail', ['summary', 'full'] as const) ?? 'full';
  const waitMs = whole(fields, 'wait_ms', 0) ?? 0;
  if (waitMs > MOST_WAIT) throw fieldFault('wait_ms', 'range', `expected ${MOST_WAIT} at most`);
  const after = text(fields, 'after_change_token');
  const seen = await observe(
    jobs,
    jobId(context),
    { waitMs, signal: reply.signal, ...(after === undefined ? {} : { after }) },
    caller,
  );
  const job = detail === 'summary' ? summaryView(seen.job, compat) : jobView(seen.job, compat);
  reply.result('job.get', true, { job, observation: observationView(seen, detail, Date.now(), compat) });
  return 0;
};

const list: Op = async (context) => {
  const jobs = service(context);
  const { fields, caller, reply } = context;
  const state = word(fields, 'state', JOB_STATES);
  const found = jobs.list(
    { limit: whole(fields, 'limit', 1) ?? LIMIT, ...(state === undefined ? {} : { state }) },
    caller,
  );
  reply.result('job.list', true, { jobs: found.map((job) => summaryView(job, jobs.settings.compat)) });
  return 0;
};

const audit: Op = async (context) => {
  const jobs = service(context);
  const { fields, caller, reply } = context;
  const job = await jobs.audit(jobId(context), others(fields, ['job_id']), caller);
  reply.result('job.audit', true, { job: jobView(job, jobs.settings.compat) });
  return 0;
};

const cancel: Op = async (context) => {
  const jobs = service(context);
  const job = await jobs.cancel(jobId(context), context.caller);
  context.reply.result('job.cancel', true, { job: jobView(job, jobs.settings.compat) });
  return 0;
};

const discard: Op = async (context) => {
  const jobs = service(context);
  const job = await jobs.discard(jobId(context), context.caller);
  context.reply.result('job.discard', true, { job: jobView(job, jobs.settings.compat) });
  return 0;
};

/** A file is written by whoever is on the machine. */
const FORMS = LAND_FORMS.filter((form) => form !== 'patch');

const land: Op = async (context) => {
  const jobs = service(context);
  const { fields, caller, reply } = context;
  const form = word(fields, 'as', FORMS) ?? 'apply';
  const message = text(fields, 'message');
  const job = await jobs.land(jobId(context), { form, ...(message === undefined ? {} : { message }) }, caller);
  reply.result('job.land', true, { job: jobView(job, jobs.settings.compat) });
  return 0;
};

const receipt: Op = async (context) => {
  const jobs = service(context);
  context.reply.result('job.receipt', true, { receipt: jobs.receipt(jobId(context), context.caller) });
  return 0;
};

/** Text where it is text; git writes the rest of a binary change in ASCII, but lines of a file may have any encoding. */
const patch: Op = async (context) => {
  const jobs = service(context);
  const bytes = await jobs.patch(jobId(context), context.caller);
  if (bytes === null) throw new RequestError('the job has no patch yet', 1, 'revision_unavailable');
  const whole = Buffer.from(bytes);
  const [encoding, shown] = isUtf8(whole) ? (['utf8', 'utf8'] as const) : (['base64', 'base64'] as const);
  context.reply.result('job.patch', true, { encoding, patch: whole.toString(shown) });
  return 0;
};

export const JOB_OPS = {
  'job.submit': submit,
  'job.get': get,
  'job.list': list,
  'job.audit': audit,
  'job.cancel': cancel,
  'job.land': land,
  'job.discard': discard,
  'job.receipt': receipt,
  'job.patch': patch,
} satisfies Readonly<Record<string, Op>>;
