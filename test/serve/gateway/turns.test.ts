import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from '../../../src/text/json.js';
import { says, start } from '../../runs/fake-turn.js';
import { type Client, codeOf, isEvent, type Room, room, session, turn, typeOf } from './client.js';

const test = suite('turns over the gateway');
let on: Room;
let one: Client;
let id: string;
test.before.each(async () => {
  on = room();
  one = on.join();
  id = await session(one);
});

const submit = (text: string, more = {}) => one.ask('prompt.submit', { session_id: id, text, ...more });
const complete = (count = 1) => one.until(() => one.events('message.complete').length >= count);
async function finish(text = 'Hello', count = 1): Promise<void> {
  const now = on.turns.at(-1);
  now?.emit(start);
  now?.emit(says(text));
  now?.end();
  await complete(count);
}

test('a prompt is answered before its first event, and its turn is told in order', async () => {
  const answer = await submit('hi');
  assert.is(answer['status'], 'streaming');
  await on.begun(1);
  await finish();
  await one.until((frame) => isEvent('session.info')(frame) && at(frame, 'params', 'payload', 'running') === false);
  const order = one.frames.map((frame) => (frame['method'] === 'event' ? typeOf(frame) : 'answer'));
  assert.equal(order.slice(2), [
    'answer',
    'session.title',
    'session.info',
    'message.start',
    'message.delta',
    'message.complete',
    'session.info',
  ]);
  const payload = at(one.events('message.complete')[0], 'params', 'payload');
  assert.equal([at(payload, 'text'), at(payload, 'status')], ['Hello', 'complete']);
});

test('prompts that come while a turn runs wait one by one, and each gets its end', async () => {
  await submit('one');
  assert.equal((await submit('two'))['status'], 'queued');
  assert.equal((await submit('three', { queued: true }))['status'], 'queued');
  for (const count of [1, 2, 3]) {
    await on.begun(count);
    await finish(`answer ${count}`, count);
  }
  assert.equal(
    on.turns.map(({ plan }) => plan.request.prompt),
    ['one', 'two', 'three'],
  );
  assert.equal(
    one.events('message.complete').map((frame) => at(frame, 'params', 'payload', 'text')),
    ['answer 1', 'answer 2', 'answer 3'],
  );
});

test('numbers of a session go on from turn to turn without holes', async () => {
  for (const count of [1, 2]) {
    await submit('again');
    await on.begun(count);
    await finish('Hello', count);
  }
  const numbers = one.frames.flatMap((frame) => at(frame, 'params', 'seq') ?? []);
  assert.equal(numbers, [1, 2, 3, 4, 5, 6]);
});

test('text between tools is told apart, and the end holds the last of it', async () => {
  await submit('work');
  await on.begun(1);
  const now = on.turns[0];
  now?.emit(start);
  now?.emit(says('First.'));
  const activity = { v: 1, type: 'tool_activity', id: 't1', name: 'bash' } as const;
  now?.emit({ ...activity, phase: 'start', kind: 'shell', input: { command: 'ls' }, parent_tool_use_id: null });
  now?.emit({
    ...activity,
    phase: 'end',
    ok: false,
    output: '',
    output_truncated: false,
    duration_ms: 20,
    denied: true,
  });
  now?.emit({ ...says('Then.'), message_id: 'm2' } as ReturnType<typeof says>);
  now?.end();
  await complete();
  const told = one.frames.filter((frame) => at(frame, 'params', 'seq') !== undefined);
  assert.equal(told.map(typeOf), [
    'message.start',
    'message.delta',
    'message.interim',
    'tool.generating',
    'tool.start',
    'tool.complete',
    'message.delta',
    'message.complete',
  ]);
  assert.equal(at(told[5], 'params', 'payload', 'result'), {
    output: '',
    error: 'BLOCKED: it was not allowed',
    exit_code: -1,
  });
  assert.is(at(told[6], 'params', 'payload', 'text'), '\n\nThen.');
  assert.is(at(told[7], 'params', 'payload', 'text'), 'Then.');
});

test('a turn that fails says why, with what was said before', async () => {
  await submit('fail');
  await on.begun(1);
  const now = on.turns[0];
  now?.emit(start);
  now?.emit(says('Partly'));
  now?.emit({ v: 1, type: 'error', code: 'auth', message: 'log in: x login', fatal: true, hint: 'x login' });
  now?.end(1);
  const payload = at(await one.until(isEvent('message.complete')), 'params', 'payload');
  assert.equal(
    [at(payload, 'status'), at(payload, 'text'), at(payload, 'error'), at(payload, 'recoverable')],
    ['error', 'Partly', 'log in: x login', false],
  );
  assert.equal(at(payload, 'error_surface'), { layer: 'provider', code: 'auth', retryable: false, hint: 'x login' });
});

test('an interrupted turn ends as such, and what waits runs', async () => {
  await submit('long');
  await submit('next');
  await on.begun(1);
  on.turns[0]?.emit(start);
  on.turns[0]?.emit(says('Some'));
  assert.equal(await one.ask('session.interrupt', { session_id: id }), { status: 'interrupted', interrupted: true });
  while (!on.turns[0]?.calls.includes('cancel')) await turn();
  on.turns[0]?.end(130);
  const payload = at(await one.until(isEvent('message.complete')), 'params', 'payload');
  assert.equal([at(payload, 'status'), at(payload, 'text'), at(payload, 'interrupted')], ['interrupted', 'Some', true]);
  await on.begun(2);
  await finish('Done', 2);
  assert.equal(await one.ask('session.interrupt', { session_id: id }), { status: 'interrupted', interrupted: false });
});

test('guidance that never reached the agent becomes the next turn', async () => {
  await one.ask('config.set', { key: 'busy', value: 'steer' });
  await submit('long');
  await on.begun(1);
  on.turns[0]?.emit(start);
  assert.is((await submit('turn left'))['status'], 'steered');
  assert.is(on.turns[0]?.frames[0]?.type, 'steer');
  await finish('Straight on');
  await on.begun(2);
  assert.is(on.turns[1]?.plan.request.prompt, 'turn left');
  await finish('Left', 2);
});

test('with the policy interrupt, a prompt cuts the turn and runs next', async () => {
  await one.ask('config.set', { key: 'busy', value: 'interrupt' });
  await submit('long');
  await on.begun(1);
  on.turns[0]?.emit(start);
  assert.is((await submit('rather this'))['status'], 'queued');
  assert.equal(on.turns[0]?.calls, ['cancel']);
  on.turns[0]?.end(130);
  await on.begun(2);
  assert.is(on.turns[1]?.plan.request.prompt, 'rather this');
  await finish('Done', 2);
});

test('guidance for a session at rest is rejected, and a redirect repeats the prompt', async () => {
  const steer = { session_id: id, text: 'left' };
  assert.equal(await one.ask('session.steer', steer), { status: 'rejected', text: 'left' });
  assert.is((await one.ask('session.redirect', steer))['status'], 'rejected');
  await submit('go');
  await on.begun(1);
  on.turns[0]?.emit(start);
  assert.is((await one.ask('session.redirect', steer))['status'], 'redirected');
  on.turns[0]?.end(130);
  await on.begun(2);
  assert.is(on.turns[1]?.plan.request.prompt, 'go\n\nleft');
});

test('the same reference is the same turn', async () => {
  const first = await submit('hi', { submission_ref: 'draft-1' });
  const again = await submit('hi', { submission_ref: 'draft-1' });
  assert.is(again['turn_id'], first['turn_id']);
  assert.is(
    codeOf(await one.call('prompt.submit', { session_id: id, text: 'other', submission_ref: 'draft-1' })),
    4000,
  );
});

test('what can not be a prompt is refused before anything is begun', async () => {
  const code = async (params: object) => codeOf(await one.call('prompt.submit', { session_id: id, ...params }));
  assert.equal(
    [
      await code({}),
      await code({ text: ' ' }),
      await code({ text: [{ type: 'video' }] }),
      await code({ text: 'x', session_id: 'ses_none' }),
      await code({ text: 'x', _rewritten: true }),
      await code({ text: 'x', submission_ref: 'with space' }),
    ],
    [4002, 4002, 4000, 4001, 4124, 4000],
  );
  await turn();
  assert.is(on.turns.length, 0);
});

test('the rows of the history are the turns that are over', async () => {
  await submit('hi');
  await on.begun(1);
  assert.is((await one.ask('session.history', { session_id: id }))['count'], 0);
  const now = await one.ask('session.activate', { session_id: id });
  assert.equal([now['running'], at(now, 'inflight', 'user')], [true, 'hi']);
  await finish();
  const { messages } = await one.ask('session.history', { session_id: id });
  assert.equal(
    [at(messages, 0, 'text'), at(messages, 0, 'row_id'), at(messages, 1, 'text'), at(messages, 1, 'row_id')],
    ['hi', 1, 'Hello', 2],
  );
});

test.run();
