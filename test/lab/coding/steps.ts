/** The steps of a client, and what can be compared of their answers. */

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { isObject, parseObject, str } from '../../../src/text/json.js';
import { AT_WORK, answerOf, type Comparable, FINDING } from './compared.js';
import type { Service } from './services.js';

interface Got extends Comparable {
  body: JsonObject;
}

async function call(
  { url, token }: Service,
  method: string,
  path: string,
  body?: Json,
  headers: Record<string, string> = {},
): Promise<Got> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const read = parseObject(text) ?? {};
  return { ...answerOf(response.status, read), body: read };
}

/** Waits for the end of a round. Both services say by themselves when there is something to judge. */
async function settled(service: Service, id: string): Promise<Got> {
  for (;;) {
    const got = await call(service, 'GET', `/v1/coding/jobs/${id}`);
    if (got.state !== AT_WORK) return got;
    await sleep(100);
  }
}

/** @returns the answer to each step by its name */
export async function play(service: Service): Promise<Map<string, Comparable>> {
  const answers = new Map<string, Comparable>();
  const keep = (name: string, { body: _, ...answer }: Got) => void answers.set(name, answer);
  const { workspace } = service;
  const request = { message: 'write made.txt hello', working_dir: workspace };
  const submit = (key: string | null, body: Json, more: Record<string, string> = {}) =>
    call(service, 'POST', '/v1/coding/jobs', body, { ...(key === null ? {} : { 'idempotency-key': key }), ...more });

  keep('health without a token', await call(service, 'GET', '/healthz', undefined, { authorization: '' }));
  keep('submit without a token', await submit('a', {}, { authorization: '' }));
  keep('submit with a wrong token', await submit('a', request, { authorization: 'Bearer another' }));
  keep('submit without a key', await submit(null, request));
  keep('submit what is not JSON', await submit('a', '{'));
  keep('submit for a folder outside', await submit('a', { ...request, working_dir: '/etc' }));
  keep('submit with a model', await submit('a', { ...request, model: 'm' }));
  keep('submit without a message', await submit('a', { working_dir: workspace }));
  keep('an unknown route', await call(service, 'GET', '/v1/coding/nothing'));

  const first = await submit('k1', request);
  keep('submit', first);
  const id = str(first.body, 'job', 'job_id') ?? '';
  keep('the same key and request', await submit('k1', request));
  keep('the same key, another request', await submit('k1', { ...request, message: 'z' }));
  const path = `/v1/coding/jobs/${id}`;
  const audit = (verdict: string, findings: Json[], digest: string) =>
    call(service, 'POST', `${path}/audit`, { implementation_revision_sha256: digest, verdict, findings });
  keep('a verdict too early', await audit('accept', [], '0'.repeat(64)));
  const seen = await settled(service, id);
  keep('what waits for an audit', seen);
  const revision = str(seen.body, 'job', 'implementation_revision_sha256') ?? '';
  keep('a verdict on another revision', await audit('accept', [], '0'.repeat(64)));
  keep('accept with findings', await audit('accept', [FINDING], revision));
  keep('rework without findings', await audit('rework', [], revision));
  const file = service.made();
  if (file !== null) {
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `${before}!`);
    keep('accept what was touched since', await audit('accept', [], revision));
    writeFileSync(file, before);
  }
  keep('rework', await audit('rework', [FINDING], revision));
  const again = await settled(service, id);
  keep('what waits after the rework', again);
  const second = str(again.body, 'job', 'implementation_revision_sha256') ?? '';
  keep('a verdict on the first revision', await audit('accept', [], revision === second ? '1'.repeat(64) : revision));
  keep('accept', await audit('accept', [], second));
  keep('accept once more', await audit('accept', [], second));
  keep('a job that is accepted', await call(service, 'GET', path));
  keep('a job that is unknown', await call(service, 'GET', `/v1/coding/jobs/job_${'0'.repeat(24)}`));
  const next = await submit('k2', request);
  keep('the next job', next);
  const nextId = isObject(next.body['job']) ? str(next.body, 'job', 'job_id') : undefined;
  keep('a second job meanwhile', await submit('k3', request));
  if (nextId !== undefined) await settled(service, nextId);
  return answers;
}
