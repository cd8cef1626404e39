import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { says, settled, start, TESTER } from '../../runs/fake-turn.js';
import { json, site, TOKEN } from './raw.js';

const exec = JSON.stringify({ op: 'exec', runtime: 'test', prompt: 'hello', cwd: '/' });

/** Waits for something that is on its way. */
async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await new Promise((resolve) => setTimeout(resolve, 2));
}

test('an answer is streamed as it happens', async () => {
  const { post, turns, open } = await site();
  const response = await post('/v1/agent', exec);
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'application/x-ndjson');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await until(() => turns.length > 0);
  turns[0]?.emit(start);
  let text = '';
  while (!text.includes('"start"')) text += (await reader?.read())?.value ?? '';
  assert.not.match(text, '"done"');
  turns[0]?.end();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  assert.match(text, /\{"kind":"done","exit_code":0\}\n$/);
  await open.close();
});

test('a client that leaves cancels its run, but not a detached one', async () => {
  const { post, turns, open, core } = await site();
  const leave = new AbortController();
  const gone = fetch(`http://127.0.0.1:${open.port}/v1/agent`, {
    method: 'POST',
    body: exec,
    signal: leave.signal,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
  await gone;
  await until(() => turns.length === 1);
  leave.abort();
  await until(() => turns[0]?.calls.includes('cancel') === true);
  turns[0]?.end(130);

  const detached = await (await post('/v1/agent', JSON.stringify({ ...JSON.parse(exec), detach: true }))).text();
  const run_id: string = JSON.parse(detached.split('\n')[0] ?? '').run_id;
  await until(() => turns.length === 2);
  assert.equal(turns[1]?.calls, []);
  turns[1]?.emit(start);
  turns[1]?.emit(says('x'));
  turns[1]?.end();
  await settled();
  const later = await (await post('/v1/agent', JSON.stringify({ op: 'events', run_id, since: 1 }))).text();
  const seqs = later
    .split('\n')
    .filter((line) => line.includes('"event"'))
    .map((line) => JSON.parse(line).seq);
  assert.equal(
    seqs.filter((one) => one !== undefined),
    [2, 3],
  );
  assert.is((await core.runs.get(run_id, TESTER)).run.status, 'completed');
  await open.close();
});

test('tools are answered and runs cancelled by another request', async () => {
  const { post, turns, open } = await site();
  const answer = post('/v1/agent', JSON.stringify({ ...JSON.parse(exec), tools: ['add'] })).then((one) => one.text());
  await until(() => turns.length === 1);
  turns[0]?.emit({ v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: {} });
  const runs = await (await post('/v1/agent', '{"op":"runs","limit":1}')).text();
  const { run_id } = JSON.parse(runs.split('\n')[0] ?? '').runs[0];
  const told = await post('/v1/agent', JSON.stringify({ op: 'tool_result', run_id, call_id: 'tc_1', result: '3' }));
  assert.match(await told.text(), '"ok":true');
  assert.is(turns[0]?.frames[0]?.type, 'tool_result');
  await post('/v1/agent', JSON.stringify({ op: 'cancel', run_id }));
  assert.equal(turns[0]?.calls, ['cancel']);
  turns[0]?.end(130);
  assert.match(await answer, /"exit_code":130\}\n$/);
  await open.close();
});

test('a batch is one session; halt ends only its own request', async () => {
  const { post, open } = await site();
  const body = '{"op":"ping"}\n\n{"op":"halt"}\nnonsense\n{"op":"ping"}\n';
  const response = await post('/v1/agent/batch', body, { 'content-type': 'application/x-ndjson' });
  const kinds = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).kind);
  assert.equal(kinds, ['result', 'done', 'result', 'done', 'error', 'done', 'result', 'done']);
  const empty = await post('/v1/agent/batch', '\n', { 'content-type': 'application/x-ndjson' });
  assert.equal([empty.status, await empty.text()], [200, '']);
  await open.close();
});

test('what is wrong with a request is an answer, not a status', async () => {
  const { post, open } = await site();
  for (const [body, message] of [
    ['', 'empty request'],
    ['{', 'malformed JSON'],
    ['{"op":"nope"}', 'unknown op: nope'],
  ]) {
    const response = await post('/v1/agent', body ?? '');
    assert.is(response.status, 200);
    const [first, last] = (await response.text()).trim().split('\n');
    assert.match(first ?? '', message ?? '');
    assert.is(last, '{"kind":"done","exit_code":2}');
  }
  await open.close();
});

test('without the token nothing is told, on any path; health is for everybody', async () => {
  const { url, open } = await site();
  for (const path of ['/v1/agent/version', '/v1/agent', '/nowhere']) {
    const response = await fetch(url(path));
    assert.is(response.status, 401);
    assert.is(response.headers.get('www-authenticate'), 'Bearer');
    assert.is(await response.text(), '{"kind":"error","message":"unauthorized"}\n');
  }
  const health = await fetch(url('/health'));
  assert.equal([health.status, (await json(health))['status']], [200, 'ok']);
  await open.close();
});

test('paths that are not served, and methods, are not found', async () => {
  const { url, open } = await site();
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const path of ['/', '/v1/agent', '/v1/agent/', '/V1/agent/version', '/v1/agent/version/x']) {
    const response = await fetch(url(path), { headers });
    assert.equal([response.status, await response.text()], [404, '{"kind":"error","message":"not found"}\n'], path);
  }
  const version = await fetch(url('/v1/agent/version?x=1'), { headers });
  assert.is((await json(version))['agent_protocol'], '1.0');
  await open.close();
});

test('an idempotency key in the header counts like one in the body', async () => {
  const { post, turns, open } = await site();
  const headers = { 'idempotency-key': 'k1' };
  const detached = JSON.stringify({ ...JSON.parse(exec), detach: true });
  const [first, again] = [await post('/v1/agent', detached, headers), await post('/v1/agent', detached, headers)];
  const ids = await Promise.all([first, again].map(async (one) => JSON.parse((await one.text()).split('\n')[0] ?? '')));
  assert.is(ids[0].run_id, ids[1].run_id);
  assert.equal([ids[0].replayed, ids[1].replayed], [false, true]);
  assert.is(turns.length, 1);
  turns[0]?.end();
  await open.close();
});

test('a page that is listed may call and read', async () => {
  const { url, open } = await site();
  const headers = { origin: 'https://app.test', 'access-control-request-method': 'POST' };
  const asked = await fetch(url('/v1/agent'), { method: 'OPTIONS', headers });
  assert.equal([asked.status, asked.headers.get('access-control-allow-origin')], [204, 'https://app.test']);
  await open.close();
});

test('a server that is about to end says so and finishes what it began', async () => {
  const { post, turns, url, open } = await site();
  const answer = post('/v1/agent', exec).then((one) => one.text());
  await until(() => turns.length === 1);
  const closed = open.close();
  assert.is((await post('/v1/agent', '{"op":"ping"}')).status, 503);
  assert.is((await json(await fetch(url('/health'))))['status'], 'draining');
  turns[0]?.end();
  assert.match(await answer, /"exit_code":0\}\n$/);
  await closed;
});

test.run();
