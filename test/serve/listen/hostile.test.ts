import { connect } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { head, raw, type Site, site, statusOf, TOKEN } from './raw.js';

let on: Site;
test.before(async () => {
  on = await site({ timeouts: { headers: 300, request: 600 }, connections: { known: 20, unknown: 20 } });
});
test.after(() => on.open.close());

/** The server is there and does its work. */
async function alive(): Promise<void> {
  const response = await on.post('/v1/agent', '{"op":"ping"}');
  assert.is(response.status, 200);
  assert.match(await response.text(), '"exit_code":0');
}
const post = (headers: Record<string, string>) =>
  head('POST /v1/agent', { 'Content-Type': 'application/json', ...headers });

test('headers that never end are cut off', async () => {
  const { answer } = raw(on.open.port, 'POST /v1/agent HTTP/1.1\r\nHost: localhost\r\nX-Slow:');
  assert.is(statusOf(await answer), 408);
  await alive();
});

test('a body that comes drop by drop is cut off', async () => {
  const { socket, answer } = raw(on.open.port, post({ 'Content-Length': '1000' }));
  const drops = setInterval(() => socket.write(' '), 50);
  const text = await answer;
  clearInterval(drops);
  assert.is(statusOf(text), 408);
  await alive();
});

test('a body of 100 MB is refused before it is read', async () => {
  const { answer } = raw(on.open.port, post({ 'Content-Length': '100000000' }));
  const text = await answer;
  assert.is(statusOf(text), 413);
  assert.match(text, '"kind":"error"');
  const asking = raw(on.open.port, post({ 'Content-Length': '100000000', Expect: '100-continue' }));
  assert.is(statusOf(await asking.answer), 413);
  await alive();
});

test('a body of unknown length is refused once it is too large', async () => {
  const { socket, answer } = raw(on.open.port, post({ 'Transfer-Encoding': 'chunked' }));
  const chunk = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
  for (let i = 0; i < 17; i++) socket.write(chunk);
  assert.is(statusOf(await answer), 413);
  await alive();
});

test('bytes that are no UTF-8 are refused', async () => {
  const response = await on.post('/v1/agent', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  assert.equal(
    [response.status, await response.text()],
    [400, '{"kind":"error","message":"the body is not valid UTF-8"}\n'],
  );
  await alive();
});

test('what a page can send without asking is refused: forms, plain text, no type', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ]) {
    assert.is((await on.post('/v1/agent', '{"op":"ping"}', { 'content-type': type })).status, 415, type);
  }
  const bare = raw(
    on.open.port,
    `${head('POST /v1/agent', { 'Content-Length': '13', Connection: 'close' })}{"op":"ping"}`,
  );
  assert.is(statusOf(await bare.answer), 415);
  assert.is(
    (await on.post('/v1/agent', '{"op":"ping"}', { 'content-type': 'application/json; charset=utf-16' })).status,
    415,
  );
  assert.is((await on.post('/v1/agent', '{"op":"ping"}', { 'content-encoding': 'gzip' })).status, 415);
  assert.is(
    (await on.post('/v1/agent', '{"op":"ping"}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status,
    200,
  );
});

test('another Host and another Origin are refused, with the right token too', async () => {
  for (const [name, value] of [
    ['Host', 'evil.test'],
    ['Origin', 'https://evil.test'],
    ['Sec-Fetch-Site', 'cross-site'],
  ]) {
    const headers = { 'Content-Length': '13', [name ?? '']: value ?? '' };
    const { answer } = raw(on.open.port, `${post(headers)}{"op":"ping"}`);
    const text = await answer;
    assert.is(statusOf(text), 403, name);
    assert.not.match(text.toLowerCase(), 'access-control-allow-origin');
  }
  await alive();
});

test('paths that climb and odd methods find nothing', async () => {
  for (const line of [
    'GET /../../etc/passwd',
    'GET /v1/agent/../../etc/passwd',
    'GET /%2e%2e/%2e%2e/etc/passwd',
    'GET //etc/passwd',
    'GET /v1/agent/version%00',
    'PUT /v1/agent',
    'DELETE /v1/agent/version',
  ]) {
    const { answer } = raw(on.open.port, head(line));
    assert.is(statusOf(await answer), 404, line);
  }
  await alive();
});

test('what is no HTTP gets a 400', async () => {
  for (const bytes of [
    '\x16\x03\x01\x02\x00garbage\r\n\r\n',
    `${head('GET /health').replace('Host: localhost\r\n', '')}`,
  ]) {
    const { answer } = raw(on.open.port, bytes);
    assert.is(statusOf(await answer), 400, JSON.stringify(bytes.slice(0, 20)));
  }
  await alive();
});

test('two lengths or a length beside chunks are refused: nobody may disagree where a request ends', async () => {
  const both = raw(on.open.port, `${post({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`);
  assert.is(statusOf(await both.answer), 400);
  const twice = raw(
    on.open.port,
    `${post({ 'Content-Length': '13' }).replace('\r\n\r\n', '\r\nContent-Length: 14\r\n\r\n')}{"op":"ping"}`,
  );
  assert.is(statusOf(await twice.answer), 400);
  await alive();
});

test('headers beyond measure are refused', async () => {
  const { answer } = raw(on.open.port, head('GET /health', { 'X-Big': 'x'.repeat(100_000) }));
  assert.is(statusOf(await answer), 431);
  await alive();
});

test('a connection is used for one request: what is sent behind it is not run', async () => {
  const body = JSON.stringify({ op: 'exec', runtime: 'test', prompt: 'hello', cwd: '/', detach: true });
  const one = `${post({ 'Content-Length': String(body.length) })}${body}`;
  const { answer } = raw(on.open.port, one.repeat(2));
  assert.is((await answer).match(/HTTP\/1\.1 200/g)?.length, 1);
  assert.is(on.turns.length, 1);
  on.turns[0]?.end();
  await alive();
});

test('two Host lines are refused: somebody in front of us may have looked at the other one', async () => {
  const twice = head('GET /health').replace('\r\n\r\n', '\r\nhost: localhost\r\n\r\n');
  const { answer } = raw(on.open.port, twice);
  assert.is(statusOf(await answer), 400);
});

test('the absolute form is read, and its host counts', async () => {
  const ask = async (line: string, host: string) =>
    statusOf(await raw(on.open.port, head(line, { Host: host })).answer);
  assert.is(await ask('GET http://localhost/v1/agent/version', 'evil.test'), 200);
  assert.is(await ask('GET http://evil.test/v1/agent/version', 'localhost'), 403);
  assert.is(await ask('GET ftp://localhost/v1/agent/version', 'localhost'), 400);
});

test('what is refused before a large body has come can be read', async () => {
  const body = 'x'.repeat(12 * 1024 * 1024);
  const wrong: [Record<string, string>, number][] = [
    [{ authorization: 'Bearer other' }, 401],
    [{ 'content-type': 'text/plain' }, 415],
  ];
  for (const [headers, status] of wrong) {
    const response = await on.post('/v1/agent', body, headers);
    assert.is(response.status, status);
    assert.match(await response.text(), '"kind":"error"');
  }
  await alive();
});

test('who asks before sending a body is told to go on when the token, the type and the size are right', async () => {
  const expecting = (headers: Record<string, string>) =>
    raw(on.open.port, post({ 'Content-Length': '13', Expect: '100-continue', ...headers }));
  const other = expecting({ Authorization: 'Bearer other' });
  assert.is(statusOf(await other.answer), 401);
  assert.is(statusOf(await expecting({ 'Content-Type': 'text/plain' }).answer), 415);
  const right = expecting({});
  await new Promise<void>((resolve) =>
    right.socket.once('data', (text: string) => {
      assert.match(text, /^HTTP\/1\.1 100 Continue/);
      resolve();
    }),
  );
  right.socket.write('{"op":"ping"}');
  assert.match(await right.answer, /HTTP\/1\.1 200 OK/);
});

test('a refused connection is ended by us, also when its other side stays', async () => {
  const refused = [
    'GARBAGE\r\n\r\n',
    head('GET /health', { Host: 'evil.test' }),
    head('GET /x', { Authorization: '' }),
  ];
  for (const bytes of refused) {
    const socket = connect({ port: on.open.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(bytes);
    socket.resume();
    await new Promise<void>((resolve) => socket.on('end', resolve));
    // Only a connection that is gone answers with a reset.
    const reset = new Promise<void>((resolve) => socket.on('error', () => resolve()));
    const writing = setInterval(() => socket.write('x'), 20);
    await reset;
    clearInterval(writing);
  }
});

test('connections that say nothing, or say it slowly, keep nobody waiting who has a token', async () => {
  // Long enough that none of them runs into a limit of time.
  const slow = await site({ timeouts: { headers: 60_000, request: 60_000 }, connections: { known: 20, unknown: 20 } });
  const firsts = ['', 'GET /health HTTP/1.1\r\n', post({ Authorization: 'Bearer other' }).slice(0, -2)];
  const crowd = firsts.flatMap((first) => Array.from({ length: 400 }, () => raw(slow.open.port, first)));
  let ended = 0;
  for (const { answer } of crowd) void answer.then(() => ended++);
  for (let i = 0; i < 20; i++) assert.is((await slow.post('/v1/agent', '{"op":"ping"}')).status, 200);
  while (ended < crowd.length - 20) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const { socket } of crowd) socket.destroy();
  await slow.open.close();
});

test('more callers than allowed are told to come again', async () => {
  const small = await site({ connections: { known: 2, unknown: 20 } });
  const waiting = [1, 2].map(() => raw(small.open.port, post({ 'Content-Length': '13' })));
  const busy = async () => {
    const response = await small.post('/v1/agent', '{"op":"ping"}');
    return [response.status, response.headers.get('retry-after')].join();
  };
  while ((await busy()) !== '503,1') await new Promise((resolve) => setTimeout(resolve, 5));
  for (const { socket } of waiting) socket.write('{"op":"ping"}');
  for (const { answer } of waiting) assert.is(statusOf(await answer), 200);
  while ((await busy()) !== '200,') await new Promise((resolve) => setTimeout(resolve, 5));
  await small.open.close();
});

test('a deep or strange JSON is an error of its request', async () => {
  for (const body of [
    '['.repeat(100_000),
    '{"op":"exec","__proto__":{"x":1}}',
    '{"op":"constructor"}',
    '{"op":"exec","env":{"__proto__":"x"}}',
    '"op"',
    'null',
    '1e999',
  ]) {
    const response = await on.post('/v1/agent', body, { authorization: `Bearer ${TOKEN}` });
    assert.is(response.status, 200);
    assert.match(await response.text(), /"exit_code":2\}\n$/);
  }
  await alive();
});

test.run();
