// limit: 240s
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { leftovers, place, run } from '../contract/cli.js';
import { ask, eventsOf, lines, serve, talkTo } from './server.js';

const http = ['--transport', 'http', '--port', '0', '--auth-token', 's3cret'];
const hello = { op: 'exec', runtime: 'demo', prompt: 'hello' };
const textOf = (answer: readonly JsonObject[]) => String(answer.find((line) => line['op'] === 'exec')?.['text']);

test('over HTTP: a turn, its token, a detached run that goes on and is read again from a cursor', async () => {
  const server = await serve(http);
  assert.match(textOf(await ask(server.at, hello)), 'Hello!');
  assert.is((await fetch(`${server.at}/v1/agent/version`)).status, 401);
  const [begun] = await ask(server.at, { ...hello, prompt: 'slow 5', detach: true });
  const run_id = String(begun?.['run_id']);
  const all = await ask(server.at, { op: 'events', run_id, follow: true });
  const seqs = all.filter((line) => line['kind'] === 'event').map((line) => line['seq']);
  assert.equal(
    seqs,
    seqs.map((_, index) => index + 1),
  );
  const rest = await ask(server.at, { op: 'events', run_id, since: 3 });
  assert.equal(
    rest.filter((line) => line['kind'] === 'event').map((line) => line['seq']),
    seqs.slice(3),
  );
  assert.is((await server.stop()).code, 0);
});

test('over HTTP: caller tools are answered by other requests; a client that leaves ends its run', async () => {
  const server = await serve([...http, '--store', 'memory']);
  const [begun] = await ask(server.at, { ...hello, prompt: 'tool add {"a":1}', tools: ['add'], detach: true });
  const run_id = String(begun?.['run_id']);
  const following = ask(server.at, { op: 'events', run_id, follow: true });
  for (;;) {
    const [told] = await ask(server.at, { op: 'tool_result', run_id, call_id: 'tc_1', result: 'seven' });
    if (told?.['kind'] === 'result') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(eventsOf(await following).some((event) => String(event['text']).includes('seven')));

  const body = JSON.stringify({ ...hello, prompt: 'hang' });
  const leaving = request(`${server.at}/v1/agent`, {
    method: 'POST',
    headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json', 'content-length': body.length },
  });
  leaving.on('error', () => {});
  leaving.on('response', (response) => {
    response.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('"assistant"')) response.destroy();
    });
    response.on('error', () => {});
  });
  leaving.end(body);
  for (;;) {
    const [told] = await ask(server.at, { op: 'runs', limit: 1, status: 'cancelled' });
    if (JSON.stringify(told).includes('"hang"')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await server.stop();
  assert.equal(await leftovers(server.place.mark), []);
});

test('without a token one is made, private, and its place is told; no token at all only on loopback', async () => {
  const server = await serve(['--transport', 'http', '--port', '0']);
  const path = join(server.place.env['XDG_STATE_HOME'] ?? '', 'turnout', 'server-token');
  const token = readFileSync(path, 'utf8').trim();
  if (process.platform !== 'win32') assert.is(statSync(path).mode & 0o777, 0o600);
  assert.is((await ask(server.at, { op: 'ping' }, token)).length, 2);
  const { stderr } = await server.stop();
  assert.match(stderr, path);
  assert.not.match(stderr, token);
  const open = run(['agent', 'serve', '--transport', 'http', '--listen', '0.0.0.0:0', '--no-auth'], {
    stdin: 'closed',
  });
  assert.is((await open.ended).code, 2);
});

test('the token does not reach the runtime', async () => {
  const server = await serve(['--transport', 'http', '--port', '0'], place({ TURNOUT_TOKEN: 's3cret' }));
  assert.match(textOf(await ask(server.at, { ...hello, prompt: 'env TURNOUT_TOKEN' })), /not set/);
  await server.stop();
});

test('over a unix socket: two callers at once, tools, and a cancel on the same connection', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: no unix sockets are offered here');
  const where = place();
  mkdirSync(join(where.cwd, 's'));
  const path = join(where.cwd, 's', 't.sock');
  const server = await serve(['--transport', 'unix', '--socket', path], where);
  assert.is(server.at, path);
  const [one, two] = await Promise.all([
    talkTo(path, [{ ...hello, id: 1, prompt: 'tool add {"a":1}', tools: ['add'] }], (line, send) => {
      if (eventsOf([line])[0]?.['type'] === 'tool_call')
        send({ op: 'tool_result', id: 2, call_id: 'tc_1', result: 'six' });
      if (line['id'] === 1 && line['kind'] === 'done') send({ op: 'halt' });
    }),
    talkTo(path, [{ ...hello, prompt: 'say x then hang' }], (line, send) => {
      if (line['kind'] === 'progress') run_id = String(line['run_id']);
      if (eventsOf([line])[0]?.['type'] === 'assistant') send({ op: 'cancel', run_id });
      if (line['op'] === 'exec') send({ op: 'halt' });
    }),
  ]);
  assert.match(textOf(one), 'six');
  assert.is(two.find((line) => line['op'] === 'exec')?.['status'], 'cancelled');
  assert.is((await server.stop()).code, 0);
  assert.not.ok(existsSync(path));
});
let run_id = '';

test('runs are listed, shown and followed while a server writes them', async () => {
  const server = await serve(http);
  const [begun] = await ask(server.at, { ...hello, prompt: 'slow 10', detach: true });
  const id = String(begun?.['run_id']);
  const tail = run(['runs', 'tail', id, '--follow', '--ndjson'], { place: server.place, stdin: 'closed' });
  const { code, events } = await tail.ended;
  assert.equal([code, events[0]?.['type'], events.at(-1)?.['type']], [0, 'start', 'done']);
  const list = await run(['runs', '--ndjson'], { place: server.place, stdin: 'closed' }).ended;
  assert.equal(
    list.events.map((one) => [one['run_id'], one['status']]),
    [[id, 'completed']],
  );
  const show = await run(['runs', 'show', id.slice(0, 12)], { place: server.place, stdin: 'closed' }).ended;
  assert.match(show.lines.join('\n'), /status +completed/);

  await ask(server.at, { ...hello, prompt: 'say x then hang', detach: true });
  const left = run(['runs', 'tail', '--follow', '--ndjson'], { place: server.place, read: false });
  await new Promise((resolve) => left.child.stdout?.once('data', resolve));
  left.child.stdout?.destroy();
  left.watch();
  const ended = await left.ended;
  assert.equal([ended.code, ended.late], [0, false]);
  await server.stop();
  assert.equal(await leftovers(server.place.mark), []);
});

test('a batch over HTTP is answered in its order', async () => {
  const server = await serve([...http, '--store', 'memory']);
  const response = await fetch(`${server.at}/v1/agent/batch`, {
    method: 'POST',
    body: `${JSON.stringify(hello)}\n{"op":"exec","prompt":"remember","session":"last"}\n`,
    headers: { authorization: 'Bearer s3cret', 'content-type': 'application/x-ndjson' },
  });
  const answer = lines(await response.text());
  assert.match(String(answer.at(-2)?.['text']), /hello/);
  assert.is(answer.filter((line) => line['kind'] === 'done').length, 2);
  await server.stop();
});

test.run();
