import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER } from '../../../src/contract/principal.js';
import { eventStream, lastEventNumber } from '../../../src/serve/listen/event-stream.js';
import { keyring } from '../../../src/serve/listen/keys.js';
import { Problem } from '../../../src/serve/listen/problem.js';
import type { Surface } from '../../../src/serve/listen/surface.js';
import { head, json, raw, site, statusOf, TOKEN } from './raw.js';

const ann = { name: 'ann', kind: 'key' } as const;
const guard = {
  identify: keyring([
    { secret: TOKEN, principal: OWNER },
    { secret: 'ann-s3cret-ann', principal: ann },
  ]),
  hosts: [],
  anyAddress: false,
  origins: ['https://app.test'],
};

/** A surface with a shape of its own, mounted beside another at home everywhere. */
const weather: Surface = {
  name: 'weather',
  under: ['/weather'],
  problem: ({ status, code, message }) => ({ status, body: { error: { code, message } } }),
  cors: { accepts: ['x-city'], exposes: ['x-sun'] },
  routes: [
    {
      method: 'GET',
      path: '/weather/:city{.+}',
      auth: 'key',
      evidence: ({ headers }, identify) => identify(String(headers['x-api-key'])),
      handle: ({ params, principal, query }) =>
        Response.json({ city: params['city'], by: principal.name, day: query.get('day') }),
    },
    {
      method: 'POST',
      path: '/weather',
      auth: 'key',
      body: { types: ['application/json'], most: 100 },
      handle: (exchange) => Response.json({ got: exchange.json() }, { status: 201, headers: { 'x-sun': 'yes' } }),
    },
    {
      method: 'DELETE',
      path: '/weather',
      auth: 'key',
      handle() {
        throw new Problem('busy', 'it rains', { 'retry-after': '5' });
      },
    },
    {
      method: 'PUT',
      path: '/weather',
      auth: 'key',
      handle() {
        throw new Error('a bug');
      },
    },
  ],
};

test('a route has its parameters, its query, and whom it is asked by', async () => {
  const { open, url } = await site({ guard, surfaces: [weather] });
  const asked = async (path: string, headers: Record<string, string>) => json(await fetch(url(path), { headers }));
  assert.equal(await asked('/weather/a%2Fb/c?day=mon', { authorization: `Bearer ${TOKEN}` }), {
    city: 'a/b/c',
    by: 'owner',
    day: 'mon',
  });
  assert.equal(await asked('/weather/x', { authorization: 'Bearer ann-s3cret-ann' }), {
    city: 'x',
    by: 'ann',
    day: null,
  });
  assert.equal(await asked('/weather/x', { 'x-api-key': 'ann-s3cret-ann' }), { city: 'x', by: 'ann', day: null });
  await open.close();
});

test('what is refused has the shape of the surface that is at home at the path', async () => {
  const { open, url, post } = await site({ guard, surfaces: [weather] });
  const authorization = `Bearer ${TOKEN}`;
  const shapes: [Promise<Response>, number, string][] = [
    [fetch(url('/weather/x')), 401, 'unauthorized'],
    [fetch(url('/weather'), { headers: { origin: 'https://evil.test' } }), 403, 'forbidden'],
    [fetch(url('/weather'), { headers: { authorization } }), 405, 'method'],
    [post('/weather', 'x'.repeat(101)), 413, 'too-large'],
    [post('/weather', '{}', { 'content-type': 'text/plain' }), 415, 'type'],
    [post('/weather', '{'), 400, 'malformed'],
    [fetch(url('/weather'), { method: 'DELETE', headers: { authorization } }), 503, 'busy'],
    [fetch(url('/weather'), { method: 'PUT', headers: { authorization } }), 500, 'internal'],
  ];
  for (const [answer, status, code] of shapes) {
    const response = await answer;
    const { error } = JSON.parse(await response.text());
    assert.equal([response.status, error.code], [status, code]);
    assert.is(response.headers.get('connection'), 'close');
    if (status === 405) assert.is(response.headers.get('allow'), 'POST, PUT, DELETE');
    if (status === 503) assert.is(response.headers.get('retry-after'), '5');
  }
  const elsewhere = await fetch(url('/other'), { headers: { authorization } });
  assert.equal(await elsewhere.json(), { kind: 'error', message: 'not found' });
  await open.close();
});

test('a listed page learns what it may send and reads what it may read', async () => {
  const { open, url, post } = await site({ guard, surfaces: [weather] });
  const origin = 'https://app.test';
  const headers = { origin, 'access-control-request-method': 'POST' };
  const asked = await fetch(url('/weather'), { method: 'OPTIONS', headers });
  assert.match(asked.headers.get('access-control-allow-headers') ?? '', 'x-city');
  const answer = await post('/weather', '{"a":1}', { origin });
  assert.equal([answer.status, await answer.json()], [201, { got: { a: 1 } }]);
  assert.is(answer.headers.get('access-control-expose-headers'), 'x-sun');
  assert.is(answer.headers.get('access-control-allow-origin'), origin);
  await open.close();
});

const news = (gone: () => void = () => {}): Surface => ({
  ...weather,
  routes: [
    {
      method: 'GET',
      path: '/weather/news',
      auth: 'key',
      stream: 'events',
      handle: (exchange) =>
        eventStream(
          exchange,
          async (stream) => {
            const after = lastEventNumber(exchange) ?? 0;
            for (let id = after + 1; id <= 3; id++) stream.send({ id: String(id), event: 'rain', data: `a\n${id}` });
            if (after === 3) return;
            await new Promise<void>((resolve) => {
              exchange.signal.addEventListener('abort', () => resolve());
              exchange.ending.addEventListener('abort', () => resolve());
            });
            if (exchange.signal.aborted) gone();
          },
          { heartbeatMs: 20 },
        ),
    },
  ],
});
const withToken = { headers: { authorization: `Bearer ${TOKEN}` } };

test('events have ids to go on from, and silence is filled with comments', async () => {
  const { open, url } = await site({ guard, surfaces: [news()] });
  const response = await fetch(url('/weather/news'), withToken);
  assert.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(': keepalive\n\n')) text += (await reader?.read())?.value ?? '';
  const frames = [1, 2, 3].map((id) => `id: ${id}\nevent: rain\ndata: a\ndata: ${id}\n\n`);
  assert.ok(text.startsWith(frames.join('')));
  const closed = open.close();
  open.release();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  await closed;

  const again = await site({ guard, surfaces: [news()] });
  const rest = raw(again.open.port, head('GET /weather/news', { 'Last-Event-ID': '2' }));
  await new Promise<void>((resolve) => rest.socket.on('data', (chunk: string) => chunk.includes('id: 3') && resolve()));
  rest.socket.destroy();
  assert.not.match(await rest.answer, 'id: 2');
  const whole = await fetch(again.url('/weather/news'), { headers: { ...withToken.headers, 'last-event-id': '3' } });
  assert.is(await whole.text(), '');
  await again.open.close();
});

test('a reader that leaves is noticed', async () => {
  let told: () => void = () => {};
  const gone = new Promise<void>((resolve) => (told = resolve));
  const { open, url } = await site({ guard, surfaces: [news(told)] });
  const leave = new AbortController();
  await fetch(url('/weather/news'), { ...withToken, signal: leave.signal });
  leave.abort();
  assert.is(await Promise.race([gone.then(() => 'noticed'), later(5000, 'late')]), 'noticed');
  await open.close();
});

test('HEAD is answered where the answer is whole', async () => {
  const { open } = await site({ guard, surfaces: [weather, news()] });
  assert.is(statusOf(await raw(open.port, head('HEAD /weather/x')).answer), 200);
  const { open: other } = await site({ guard, surfaces: [news()] });
  assert.is(statusOf(await raw(other.port, head('HEAD /weather/news')).answer), 405);
  await open.close();
  await other.close();
});

test.run();
