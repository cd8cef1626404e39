// limit: 120s
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import WebSocket from 'ws';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, parseObject } from '../../../src/text/json.js';
import { leftovers, type Place, place, type Running, run } from '../../contract/cli.js';
import { type Server, serve } from '../server.js';
import { frameFault } from './frames.js';

const isAnswer = (id: string) => (frame: JsonObject) => frame['id'] === id && !('method' in frame);
const isEvent = (type: string) => (frame: JsonObject) => at(frame, 'params', 'type') === type;
const isAsked = (frame: JsonObject) => frame['method'] === 'approval' || frame['method'] === 'clarify';

interface Talk {
  running: Running;
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
}
let number = 0;

/** `turnout gateway` over a pipe. */
function gateway(where: Place, args: readonly string[] = []): Talk {
  const running = run(['gateway', '--runtime', 'demo', '--store', join(where.cwd, 's.db'), ...args], { place: where });
  return {
    running,
    async ask(method, params = {}) {
      number += 1;
      const id = `w${number}`;
      running.send({ jsonrpc: '2.0', id, method, params });
      const answer = await running.event(isAnswer(id));
      const result = answer['result'];
      if (typeof result !== 'object' || result === null || Array.isArray(result))
        throw new Error(`${method}: ${JSON.stringify(answer)}`);
      return result;
    },
  };
}

test('over a pipe: a prompt, a tool with a question, and the end of the input', async () => {
  const { running, ask } = gateway(place());
  await running.event(isEvent('gateway.ready'));
  const { session_id = null } = await ask('session.create');
  await ask('prompt.submit', { session_id, text: 'ask' });
  const request = await running.event(isAsked);
  running.send({ jsonrpc: '2.0', id: request['id'] ?? null, result: { choice: 'once' } });
  const end = await running.event(isEvent('message.complete'));
  assert.is(at(end, 'params', 'payload', 'text'), 'The answer was: allow_once.');
  await ask('prompt.submit', { session_id, text: 'question Which colour? red | green' });
  const clarify = await running.event((frame) => frame['method'] === 'clarify');
  running.send({ jsonrpc: '2.0', id: clarify['id'] ?? null, result: { answers: { q0: 'green' } } });
  await running.event((frame) => String(at(frame, 'params', 'payload', 'text')).includes('green'));
  running.closeStdin();
  running.watch();
  const { code, late, events } = await running.ended;
  assert.equal([code, late], [0, false]);
  for (const frame of events) assert.is(frameFault(frame), null, JSON.stringify(frame));
});

test('a client that goes leaves nothing behind, and the turn is told as interrupted', async () => {
  const where = place();
  const first = gateway(where);
  const { session_id = null } = await first.ask('session.create');
  await first.ask('prompt.submit', { session_id, text: 'hang' });
  await first.running.event(isEvent('message.start'));
  first.running.closeStdin();
  first.running.watch();
  assert.equal(await first.running.ended.then(({ code, late }) => [code, late]), [0, false]);
  assert.equal(await leftovers(where.mark), []);
  const second = gateway(where);
  const { events } = await second.ask('session.events.since', { session_id, last_seen: 0 });
  const last = (arr(events) ?? []).at(-1);
  assert.equal([at(last, 'type'), at(last, 'payload', 'status')], ['message.complete', 'error']);
  second.running.closeStdin();
  await second.running.ended;
});

test('numbers and their epoch outlive a sudden death, and the turn that died has its end', async () => {
  const where = place();
  const first = gateway(where);
  const ready = await first.running.event(isEvent('gateway.ready'));
  const { session_id = null } = await first.ask('session.create');
  await first.ask('prompt.submit', { session_id, text: 'say hello' });
  await first.running.event(isEvent('message.complete'));
  await first.ask('prompt.submit', { session_id, text: 'hang' });
  await first.running.event((frame) => isEvent('message.start')(frame) && at(frame, 'params', 'seq') === 4);
  const told = first.running.events.flatMap((frame) => {
    const params = frame['params'];
    return at(params, 'seq') === undefined || params === undefined ? [] : [params];
  });
  first.running.child.kill('SIGKILL');
  await first.running.ended;
  assert.equal(await leftovers(where.mark), []);

  const second = gateway(where);
  const again = await second.running.event(isEvent('gateway.ready'));
  const epoch = (frame: JsonObject) => at(frame, 'params', 'payload', 'replay_epoch');
  assert.is(epoch(again), epoch(ready));
  const { events, truncated } = await second.ask('session.events.since', { session_id, last_seen: 0 });
  assert.is(truncated, false);
  const all: Json[] = arr(events) ?? [];
  assert.equal(all.slice(0, told.length), told);
  const last = all.at(-1);
  assert.equal(
    ['status', 'failure_reason', 'recoverable'].map((key) => at(last, 'payload', key)),
    ['error', 'server_restarted', true],
  );
  assert.equal((await second.ask('session.resume', { session_id }))['status'], 'idle');
  second.running.closeStdin();
  await second.running.ended;
});

test('a wrong runtime and a store that can not be used are told at once', async () => {
  for (const [args, why] of [
    [['--runtime', 'cluade'], 'Did you mean claude?'],
    [['--store', '.'], '--store PATH|memory names another one'],
    [['--access', 'purple'], 'scoped'],
    [['--cwd', '/nonexistent'], '/nonexistent'],
  ] as const) {
    const { code, lines, stderr } = await run(['gateway', ...args], { stdin: 'closed' }).ended;
    assert.equal([code, lines], [2, []], stderr);
    assert.match(stderr, why);
  }
});

let server: Server;
test.before(async () => {
  server = await serve(['--transport', 'http', '--port', '0', '--auth-token', 's3cret', '--store', 'memory']);
});
test.after(async () => {
  await server.stop();
});

interface Socket {
  frames: JsonObject[];
  socket: WebSocket;
  until(like: (frame: JsonObject) => boolean): Promise<JsonObject>;
  ask(method: string, params?: JsonObject, binary?: boolean): Promise<JsonObject>;
}
/** Resolves once it is open. @throws {Error} with the status that refused it */
async function connect(query: string, protocols: string[] = [], headers: Record<string, string> = {}): Promise<Socket> {
  const socket = new WebSocket(`${server.at.replace('http', 'ws')}/api/ws${query}`, protocols, { headers });
  const frames: JsonObject[] = [];
  let heard = () => {};
  socket.on('message', (data) => {
    frames.push(parseObject(String(data)) ?? {});
    heard();
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('error', reject);
    socket.on('unexpected-response', (_, { statusCode }) => reject(new Error(`status ${statusCode}`)));
  });
  const until: Socket['until'] = async (like) => {
    for (;;) {
      const found = frames.find(like);
      if (found) return found;
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  };
  return {
    frames,
    socket,
    until,
    async ask(method, params = {}, binary = false) {
      number += 1;
      const id = `w${number}`;
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      socket.send(binary ? Buffer.from(text) : text);
      const { result } = await until(isAnswer(id));
      return typeof result === 'object' && result !== null && !Array.isArray(result) ? result : {};
    },
  };
}
const status = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'open',
    (error: Error) => error.message,
  );
async function ticket(): Promise<string> {
  const response = await fetch(`${server.at}/api/auth/ws-ticket`, {
    method: 'POST',
    headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json' },
    body: '{}',
  });
  const { ticket: made, expires_in } = JSON.parse(await response.text());
  assert.is(expires_in, 30);
  return made;
}

test('over a socket: who shows nothing that counts is refused before it opens', async () => {
  assert.equal(
    await Promise.all([
      status(connect('')),
      status(connect('?token=wrong')),
      status(connect('?ticket=wrong')),
      status(connect('?token=s3cret', [], { origin: 'https://evil.test' })),
      status(connect('?token=s3cret', [], { host: 'evil.test' })),
      status(connect('', ['hermes-gateway-ticket.wrong', 'hermes-gateway-v1'])),
    ]),
    Array.from({ length: 6 }, () => 'status 403'),
  );
});

test('a ticket opens one socket, in the address or as a subprotocol that is not sent back', async () => {
  const first = await ticket();
  const one = await connect(`?ticket=${first}`);
  assert.is(await status(connect(`?ticket=${first}`)), 'status 403');
  const second = await ticket();
  const two = await connect('', ['hermes-gateway-v1', `hermes-gateway-ticket.${second}`]);
  assert.is(two.socket.protocol, 'hermes-gateway-v1');
  assert.is(await status(connect('', [`hermes-gateway-ticket.${await ticket()}`])), 'status 403');
  for (const { socket } of [one, two]) socket.terminate();
});

test('two sockets see one session in the same order, and one that is cut comes back to all of it', async () => {
  const [one, two] = [await connect('?token=s3cret'), await connect('', [], { authorization: 'Bearer s3cret' })];
  const { payload } = (await one.until(isEvent('gateway.ready')))['params'] as JsonObject;
  assert.is(at(payload, 'heartbeat'), true);
  assert.equal(await one.ask('gateway.ping', {}, true), { ok: true });
  const { session_id = null } = await one.ask('session.create', { provider: 'demo' });
  await two.ask('client.capabilities', { server_requests: true });
  await two.ask('session.resume', { session_id });
  await one.ask('prompt.submit', { session_id, text: 'ask' });
  const request = await two.until(isAsked);
  await one.until(isAsked);
  one.socket.terminate();
  const three = await connect('?token=s3cret');
  const { open_requests } = await three.ask('session.resume', { session_id });
  assert.is(at(open_requests, 0, 'id'), request['id']);
  two.socket.send(JSON.stringify({ id: request['id'], result: { choice: 'deny' } }));
  await three.until(isEvent('request.cancel'));
  await Promise.all([two, three].map((each) => each.until(isEvent('message.complete'))));
  const { events } = await three.ask('session.events.since', { session_id, last_seen: 0 });
  const numbered = (each: Socket) =>
    each.frames.flatMap((frame) => (at(frame, 'params', 'seq') ? [frame['params'] ?? null] : []));
  assert.equal(arr(events), numbered(two));
  for (const { socket } of [two, three]) socket.terminate();
});

test('a socket that does not read is pressed with nothing, and gets all of it later', async () => {
  const [quick, slow] = [await connect('?token=s3cret'), await connect('?token=s3cret')];
  const { session_id = null } = await quick.ask('session.create', { provider: 'demo' });
  await slow.ask('session.resume', { session_id });
  slow.socket.pause();
  await quick.ask('prompt.submit', { session_id, text: 'big 4000000' });
  await quick.until(isEvent('message.complete'));
  slow.socket.resume();
  const end = await slow.until(isEvent('message.complete'));
  assert.equal(end, await quick.until(isEvent('message.complete')));
  for (const { socket } of [quick, slow]) socket.terminate();
});

test.run();
