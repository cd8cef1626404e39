import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { ABSENT } from '../../../src/serve/gateway/absent.js';
import { METHODS, PI } from '../../../src/serve/gateway/methods.js';
import { arr, at } from '../../../src/text/json.js';
import { says, start } from '../../runs/fake-turn.js';
import { type Client, codeOf, isEvent, type Room, room, session, turn } from './client.js';

const test = suite('methods of the gateway');
let on: Room;
let one: Client;
let id: string;
let folder: string;
test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnout-gateway-'));
  on = room({ ambient: { XDG_STATE_HOME: folder } });
  one = on.join();
  id = await session(one);
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

async function said(text: string, of = id): Promise<void> {
  const count = on.turns.length + 1;
  const ends = one.events('message.complete').length + 1;
  await one.ask('prompt.submit', { session_id: of, text });
  await on.begun(count);
  const now = on.turns[count - 1];
  now?.emit(start);
  now?.emit(says('Yes'));
  now?.emit({ v: 1, type: 'usage', input_tokens: 30, output_tokens: 5, cached_tokens: 10, cost_usd: 0.01 });
  now?.emit({
    v: 1,
    type: 'done',
    exit_code: 0,
    stop_reason: 'end_turn',
    duration_ms: 5,
    totals: { input_tokens: 30, output_tokens: 5, cached_tokens: 10, cost_usd: 0.01 },
  });
  now?.end();
  while (one.events('message.complete').length < ends) await turn();
}
/** Ends every turn, and those that follow from it. */
async function rest(of = id): Promise<void> {
  for (let ended = 0; ; ) {
    for (; ended < on.turns.length; ended += 1) {
      on.turns[ended]?.emit(start);
      on.turns[ended]?.emit(says('Yes'));
      on.turns[ended]?.end();
    }
    for (let i = 0; i < 20; i += 1) await turn();
    if (ended === on.turns.length && (await one.ask('session.activate', { session_id: of }))['running'] === false)
      return;
  }
}
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

test('every method answers what its schema says', async () => {
  await said('hello');
  const picture = join(folder, 'a.png');
  writeFileSync(picture, Buffer.from(PIXEL, 'base64'));
  const of = { session_id: id };
  const more: Record<string, JsonObject> = {
    'session.create': { cwd: folder, title: 'named', messages: [{ role: 'user', content: 'before' }] },
    'session.steer': { ...of, text: 'left' },
    'session.redirect': { ...of, text: 'left' },
    'session.title': { ...of, title: 'mine' },
    'session.branch': { ...of, name: 'copy' },
    'session.events.since': { ...of, last_seen: 0 },
    'prompt.submit': { ...of, text: 'go on' },
    'prompt.background': { ...of, text: 'aside' },
    'request.answer': { id: 'srq-none', result: {} },
    'clarify.lock': { request_id: 'none', question_id: 'q', answer: 'a' },
    'client.capabilities': { server_requests: true },
    'config.set': { ...of, key: 'busy', value: 'queue' },
    'config.get': { ...of, key: 'full' },
    'image.attach': { ...of, path: picture },
    'image.attach_bytes': { ...of, content_base64: PIXEL, filename: 'x.png' },
    'image.detach': { ...of, path: 'a.png' },
    'command.resolve': { name: 'fork' },
    'command.dispatch': { ...of, name: 'queue', arg: 'later' },
    'slash.exec': { ...of, command: '/status' },
    'complete.slash': { text: '/st' },
    'subagent.interrupt': { subagent_id: 'x' },
    'session.delete': {},
  };
  // These end the session, or need another one.
  const apart = ['session.delete', 'session.close', 'clarify.respond', 'session.undo', 'session.compress'];
  for (const name of Object.keys(METHODS).filter((one) => !apart.includes(one))) await one.ask(name, more[name] ?? of);
  await rest();
  await one.until(isEvent('background.complete'));
  assert.is((await one.ask('session.undo', of))['removed'], 2);
  assert.equal(await one.ask('session.close', of), { closed: true });
  assert.equal(await one.ask('session.close', of), { closed: false });
  assert.equal(await one.ask('session.delete', of), { deleted: id });
  assert.is(codeOf(await one.call('session.history', of)), 4001);
});

test('methods that are left out answer "unknown method", each with a reason', async () => {
  for (const [name, reason] of Object.entries(ABSENT)) {
    const frame = await one.call(name, { session_id: id });
    assert.equal(frame['error'], { code: -32601, message: `unknown method: ${name}`, data: { reason } });
  }
});

test('the documentation lists what is left out', () => {
  const text = readFileSync(join(process.env['TURNOUT_ROOT'] ?? '.', 'docs', 'gateway.md'), 'utf8');
  const rows = [...text.slice(text.indexOf('<!-- absent')).matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)];
  assert.equal(Object.fromEntries(rows.map(([, name, reason]) => [name, reason])), ABSENT);
});

test('sessions that are not there have a code of their own for each method', async () => {
  const code = async (method: string, params: JsonObject) => codeOf(await one.call(method, params));
  assert.equal(
    [
      await code('session.activate', { session_id: 'nope' }),
      await code('session.resume', { session_id: 'nope' }),
      await code('session.resume', {}),
      await code('session.delete', {}),
      await code('session.delete', { session_id: 'nope' }),
      await code('session.delete', { session_id: id }),
      await code('session.history', {}),
      await code('session.create', { cwd: '/nonexistent/x' }),
      await code('session.branch', { session_id: id }),
      await code('session.title', { session_id: id, title: ' ' }),
      await code('prompt.background', { session_id: id, text: '' }),
      await code('image.attach', { session_id: id, path: '' }),
      await code('image.attach', { session_id: id, path: '/none.png' }),
      await code('image.attach_bytes', { session_id: id, content_base64: '!!' }),
      await code('command.resolve', { name: '/h' }),
      await code('command.dispatch', { session_id: id, name: 'nope' }),
      await code('config.get', { key: 'nope' }),
      await code('config.set', { key: 'yolo', value: '1', session_id: id }),
      await code('clarify.respond', { request_id: 'x', answer: 'y' }),
    ],
    [4001, 4007, 4006, 4006, 4007, 4023, 4001, 4017, 4008, 4021, 4012, 4015, 4016, 4017, 4011, 4018, 4002, 4010, 4009],
  );
});

test('a title names one session alone, and opens it', async () => {
  await said('hello');
  const other = await session(one);
  await said('hello', other);
  const title = async (of: string) => (await one.ask('session.title', { session_id: of }))['title'];
  assert.equal([await title(id), await title(other)], ['hello', 'hello #2']);
  assert.is(codeOf(await one.call('session.title', { session_id: other, title: 'hello' })), 4022);
  assert.is((await one.ask('session.resume', { session_id: 'hello #2' }))['session_id'], other);
  const { sessions } = await one.ask('session.list');
  assert.equal(
    (arr(sessions) ?? []).map((row) => at(row, 'id')),
    [other, id],
  );
});

test('a runtime that is unknown, and a model of another vendor, are refused with suggestions', async () => {
  const frame = await one.call('session.create', { provider: 'tset' });
  assert.is(codeOf(frame), -32602);
  assert.equal(at(frame, 'error', 'data', 'suggestions'), ['test']);
});

test('a session begins with what was said elsewhere, but for what clients hide', async () => {
  const messages: JsonObject[] = [
    { role: 'user', content: 'seed q' },
    { role: 'assistant', text: 'seed a' },
    { role: 'user', content: 'hid', display_kind: 'hidden' },
  ];
  const made = await one.ask('session.create', { messages });
  assert.equal(
    (arr(made, 'messages') ?? []).map((row) => [at(row, 'role'), at(row, 'text')]),
    [
      ['user', 'seed q'],
      ['assistant', 'seed a'],
    ],
  );
  await said('and now?', String(made['session_id']));
  assert.match(on.turns.at(-1)?.plan.request.system ?? '', /seed a/);
});

test('usage adds up over the turns, cached input apart', async () => {
  await said('one');
  await said('two');
  const usage = await one.ask('session.usage', { session_id: id });
  assert.equal(
    ['input', 'prompt', 'output', 'total', 'cache_read', 'calls'].map((key) => usage[key]),
    [40, 60, 10, 70, 20, 2],
  );
});

test('a saved session is a private file', async () => {
  await said('one');
  const { file } = await one.ask('session.save', { session_id: id });
  assert.equal(at(JSON.parse(readFileSync(String(file), 'utf8')), 'messages', 1, 'text'), 'Yes');
});

test('a session that goes with its client ends what it does', async () => {
  const other = on.join();
  const made = await other.ask('session.create', { close_on_disconnect: true });
  await other.ask('prompt.submit', { session_id: made['session_id'] ?? null, text: 'long' });
  await on.begun(1);
  other.leave();
  while (!on.turns[0]?.calls.includes('cancel')) await turn();
  on.turns[0]?.end(130);
});

test('what slashes begin is worked on by either spelling', async () => {
  await said('hello');
  const dispatch = async (params: JsonObject) => one.ask('command.dispatch', { session_id: id, ...params });
  assert.equal(await dispatch({ name: 'retry' }), { type: 'send', message: 'hello' });
  assert.equal(await dispatch({ command: '/queue later' }), { type: 'send', message: 'later' });
  assert.match(String((await dispatch({ command: '/model other' }))['output']), 'Model: other (test)');
  assert.is((await dispatch({ name: '/undo' }))['message'], 'hello');
  assert.match(String((await one.ask('slash.exec', { session_id: id, command: '/title New' }))['output']), 'New');
  assert.is((await one.ask('session.title', { session_id: id }))['title'], 'New');
});

test("Pi's names mean the session that was opened last", async () => {
  assert.equal(Object.keys(PI).sort(), [
    'abort',
    'compact',
    'follow_up',
    'fork',
    'get_messages',
    'get_state',
    'new_session',
    'prompt',
    'set_model',
    'steer',
    'switch_session',
  ]);
  assert.is((await one.ask('prompt', { message: 'hello' }))['status'], 'streaming');
  assert.is((await one.ask('follow_up', { message: 'then' }))['status'], 'queued');
  await on.begun(1);
  on.turns[0]?.emit(start);
  assert.is((await one.ask('steer', { message: 'left' }))['status'], 'queued');
  assert.is((await one.ask('abort'))['interrupted'], true);
  on.turns[0]?.end(130);
  await rest();
  // What was steered too late is a turn of its own.
  assert.equal(
    on.turns.map(({ plan }) => plan.request.prompt),
    ['hello', 'then', 'left'],
  );
  assert.is(at(await one.ask('get_state'), 'data', 'session_id'), id);
  assert.equal((await one.ask('set_model', { provider: 'test', modelId: 'm-2' }))['value'], 'm-2');
  const { session_id } = await one.ask('fork', {});
  assert.is((await one.ask('switch_session', { sessionPath: session_id ?? null }))['session_id'], session_id);
  assert.is((await one.ask('get_messages'))['count'], 5);
  assert.is(codeOf(await one.call('compact')), 4010);
});

test.run();
