/** Coding jobs over HTTP, below `/v1/coding`: the routes and codes of flyto-ai 0.20, and some more. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { MOST_WAIT } from '../../jobs/changes.js';
import { JOB_CODES, JobError } from '../../jobs/failure.js';
import { onlyFields, textField } from '../../jobs/fields.js';
import { observe } from '../../jobs/observe.js';
import { MOST_BODY } from '../../jobs/read-request.js';
import type { JobService } from '../../jobs/service.js';
import { refusedCall } from '../../jobs/tools.js';
import { jobView, observationView, summaryView } from '../../jobs/wire.js';
import type { Caller } from '../../runs/ports.js';
import { LAND_FORMS } from '../../workspace/land.js';
import type { Problem, Rendered } from '../listen/problem.js';
import type { Exchange, Route, Surface } from '../listen/surface.js';

const BODY = { types: ['application/json'], most: MOST_BODY };
const HEADERS = { 'cache-control': 'no-store' };

/** What the listener refuses, in the words of this API. */
function problem({ status, code, message }: Problem): Rendered {
  const body = (error: string) => ({ ok: false, error, message });
  switch (code) {
    case 'unauthorized':
      return { status, headers: HEADERS, body: { ok: false, error: 'unauthorized' } };
    case 'not-found':
    case 'method':
      return { status: 404, headers: HEADERS, body: { ok: false, error: 'not_found' } };
    case 'malformed':
    case 'type':
    case 'too-large':
      return { status: 400, headers: HEADERS, body: body('invalid_request') };
    case 'forbidden':
    case 'timeout':
    case 'headers-too-large':
    case 'busy':
    case 'draining':
    case 'internal':
      return { status, headers: HEADERS, body: body(code === 'busy' ? 'service_busy' : 'service_unavailable') };
  }
}

const json = (value: JsonObject, status = 200): Response => Response.json(value, { status, headers: HEADERS });

type Handle = (exchange: Exchange, caller: Caller) => Promise<Response>;

function answering(handle: Handle) {
  return async (exchange: Exchange): Promise<Response> => {
    try {
      return await handle(exchange, { principal: exchange.principal, surface: 'http' });
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      return json(refusedCall(error), JOB_CODES[error.code]);
    }
  };
}

/** A whole number in the query. @throws JobError invalid_request */
function inQuery(query: URLSearchParams, name: string, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) > most)
    throw new JobError('invalid_request', `${name}: expected a whole number up to ${most}`);
  return Number(text);
}

export function jobsSurface(jobs: JobService): Surface {
  const { compat } = jobs.settings;
  const get = (path: string, handle: Handle): Route => {
    return { method: 'GET', path, auth: 'key', handle: answering(handle) };
  };
  const post = (path: string, handle: Handle): Route => {
    return { method: 'POST', path, auth: 'key', body: BODY, handle: answering(handle) };
  };
  const shown = async (job: Parameters<typeof jobView>[0]) => json({ ok: true, job: jobView(job, compat) });
  const idOf = ({ params }: Exchange): Json => params['id'] ?? '';
  const health: Route = {
    method: 'GET',
    path: '/healthz',
    auth: 'public',
    handle: () => json({ ok: true, service: 'flyto-coding' }),
  };

  async function look(exchange: Exchange, caller: Caller): Promise<Response> {
    const { query, signal } = exchange;
    const after = query.get('after_change_token');
    const how = { waitMs: inQuery(query, 'wait_ms', MOST_WAIT) ?? 0, signal, ...(after === null ? {} : { after }) };
    const seen = await observe(jobs, idOf(exchange), how, caller);
    const detail = query.get('detail') === 'summary' ? 'summary' : 'full';
    const job = detail === 'summary' ? summaryView(seen.job, compat) : jobView(seen.job, compat);
    const asked = ['detail', 'wait_ms', 'after_change_token'].some((name) => query.has(name));
    if (compat === 'flyto' && !asked) return json({ ok: true, job });
    return json({ ok: true, job, observation: observationView(seen, detail, Date.now(), compat) });
  }
  async function land(exchange: Exchange, caller: Caller): Promise<Response> {
    const fields = onlyFields(exchange.json(), ['as', 'message'], 'land');
    const form = LAND_FORMS.find((one) => one === (fields['as'] ?? 'apply'));
    // A file is written by whoever is on the machine.
    if (form === undefined || form === 'patch')
      throw new JobError('invalid_request', 'as: expected apply, branch or commit');
    const message = textField(fields, 'message', { most: 200 });
    return shown(await jobs.land(idOf(exchange), { form, ...(message === undefined ? {} : { message }) }, caller));
  }
  async function patch(exchange: Exchange, caller: Caller): Promise<Response> {
    const bytes = await jobs.patch(idOf(exchange), caller);
    if (bytes === null) throw new JobError('revision_unavailable', 'the job has no patch yet');
    return new Response(Buffer.from(bytes), { headers: { ...HEADERS, 'content-type': 'text/x-diff; charset=utf-8' } });
  }

  return {
    name: 'jobs',
    under: compat === 'flyto' ? ['/v1/coding', '/healthz'] : ['/v1/coding'],
    problem,
    cors: { accepts: ['idempotency-key'] },
    routes: [
      ...(compat === 'flyto' ? [health] : []),
      post('/v1/coding/jobs', async (exchange, caller) => {
        const key = exchange.headers['idempotency-key'];
        const { job } = await jobs.submit(typeof key === 'string' ? key : undefined, exchange.json(), caller);
        return json({ ok: true, job: jobView(job, compat) }, 202);
      }),
      get('/v1/coding/jobs', async ({ query }, caller) => {
        const all = jobs.list({ limit: inQuery(query, 'limit', 1000) ?? 50 }, caller);
        return json({ ok: true, jobs: all.map((job) => summaryView(job, compat)) });
      }),
      get('/v1/coding/jobs/:id', look),
      get('/v1/coding/jobs/:id/patch', patch),
      get('/v1/coding/jobs/:id/receipt', async (exchange, caller) => {
        const text = jobs.receipt(idOf(exchange), caller);
        return new Response(text, { headers: { ...HEADERS, 'content-type': 'application/json' } });
      }),
      post('/v1/coding/jobs/:id/audit', async (exchange, caller) =>
        shown(await jobs.audit(idOf(exchange), exchange.json(), caller)),
      ),
      post('/v1/coding/jobs/:id/cancel', async (exchange, caller) => shown(await jobs.cancel(idOf(exchange), caller))),
      post('/v1/coding/jobs/:id/land', land),
    ],
  };
}
