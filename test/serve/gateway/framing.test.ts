import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from '../../../src/text/json.js';
import { codeOf, isEvent, room, turn } from './client.js';

const PARSE = { code: -32700, message: 'parse error' };
const NO_OBJECT = { code: -32600, message: 'invalid request: expected an object' };
const NO_METHOD = { code: -32600, message: 'invalid request: method must be a non-empty string' };
const NO_PARAMS = { code: -32602, message: 'invalid params: expected an object' };

test('the first frame says what the gateway is, without a session and a number', () => {
  const { frames } = room().join();
  assert.is(frames.length, 1);
  const [ready] = frames;
  assert.ok(ready && isEvent('gateway.ready')(ready));
  assert.equal(Object.keys(at(ready, 'params') ?? {}), ['type', 'payload']);
  assert.equal(at(ready, 'params', 'payload', 'protocol'), { version: 1 });
});

const REFUSED: [string, object, unknown][] = [
  ['not json', PARSE, null],
  ['\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', PARSE, null],
  ['{"id":1,"method":"ping"}{"id":2}', PARSE, null],
  ['[1,2]', NO_OBJECT, null],
  ['[]', NO_OBJECT, null],
  ['"s"', NO_OBJECT, null],
  ['42', NO_OBJECT, null],
  ['null', NO_OBJECT, null],
  ['{"id":7}', NO_METHOD, 7],
  ['{"id":8,"method":""}', NO_METHOD, 8],
  ['{"id":9,"method":5}', NO_METHOD, 9],
  ['{"id":10,"method":"ping","params":[1]}', NO_PARAMS, 10],
  ['{"id":11,"method":"ping","params":"s"}', NO_PARAMS, 11],
  ['{"id":12,"method":"nope.nope"}', { code: -32601, message: 'unknown method: nope.nope' }, 12],
  ['{"id":13,"method":"constructor"}', { code: -32601, message: 'unknown method: constructor' }, 13],
];
for (const [line, error, id] of REFUSED)
  test(`${JSON.stringify(line)} is refused`, async () => {
    const one = room().join();
    one.raw(line);
    const frame = await one.until((each) => 'error' in each);
    assert.equal([frame['jsonrpc'], frame['id'], frame['error']], ['2.0', id, error]);
  });

for (const line of ['{"id":null,"method":"ping"}', '{"method":"ping"}', '{"id":1.5,"jsonrpc":"1.0","method":"ping"}'])
  test(`${line} is answered under its id`, async () => {
    const one = room().join();
    one.raw(line);
    const frame = await one.until((each) => 'result' in each);
    assert.equal(frame['id'], JSON.parse(line).id ?? null);
  });

test('an id may be any value and come twice', async () => {
  const one = room().join();
  for (const _ of [1, 2]) one.raw('{"id":{"a":1},"method":"ping","params":null}');
  while (one.frames.filter((each) => 'result' in each).length < 2) await turn();
  assert.equal(one.frames.at(-1)?.['id'], { a: 1 });
});

test('blank lines and answers to nothing are not answered', async () => {
  const one = room().join();
  for (const line of ['', '   ', '{"id":"srq-9","result":{}}', '{"id":"x","error":{"code":1}}']) one.raw(line);
  await one.ask('ping');
  await turn();
  assert.is(one.frames.length, 2);
});

test('a parameter of a wrong type is refused by name, and the client goes on', async () => {
  const one = room().join();
  for (const [method, params, name] of [
    ['session.create', { cols: 'abc' }, 'cols'],
    ['terminal.resize', { cols: 'x' }, 'cols'],
    ['config.set', { key: 5 }, 'key'],
    ['session.steer', { text: 5 }, 'text'],
    ['session.events.since', { session_id: 'x', last_seen: 1.5 }, 'last_seen'],
  ] as const) {
    const frame = await one.call(method, params);
    assert.is(codeOf(frame), -32602);
    assert.match(String(at(frame, 'error', 'message')), `invalid params for ${method}: ${name}: expected`);
  }
  assert.is(codeOf(await one.call('command.dispatch', { name: null })), 4001);
  assert.equal(await one.ask('gateway.ping'), { ok: true });
});

test('unknown parameters are left alone, but for misspelt consent', async () => {
  const one = room().join();
  assert.equal(await one.ask('ping', { anything: 1 }), { pong: true });
  assert.is(codeOf(await one.call('prompt.submit', { confirm_truncation: true })), 4000);
});

test('a handler that fails answers, and the client goes on', async () => {
  const { core, join, complaints } = room();
  const one = join();
  core.sessions.list = () => Promise.reject(new Error('boom'));
  const frame = await one.call('session.list');
  assert.equal(frame['error'], { code: -32000, message: 'handler error: boom' });
  assert.equal(complaints, ['session.list: boom']);
  await one.ask('ping');
});

test('a ping is answered while a slow method works', async () => {
  const { core, join } = room();
  const one = join();
  let go = () => {};
  core.sessions.list = () => new Promise((resolve) => (go = () => resolve([])));
  const slow = one.call('session.list');
  await one.ask('ping');
  assert.is(one.frames.length, 2);
  go();
  assert.equal((await slow)['result'], { sessions: [] });
});

test.run();
