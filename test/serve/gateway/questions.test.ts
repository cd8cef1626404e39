import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PermissionRequestEvent } from '../../../src/contract/event.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { at } from '../../../src/text/json.js';
import { start } from '../../runs/fake-turn.js';
import { type Client, codeOf, isEvent, isRequest, type Room, room, session, turn } from './client.js';

const test = suite('questions over the gateway');
let on: Room;
let one: Client;
let id: string;
test.before.each(async () => {
  on = room();
  one = on.join();
  id = await session(one);
});

const question = (name = 'pr_1'): PermissionRequestEvent => ({
  v: 1,
  type: 'permission_request',
  id: name,
  name: 'bash',
  kind: 'shell',
  input: { command: 'rm -rf build' },
  choices: ['allow_once', 'deny'],
});
/** The answers that the agent was given. */
const given = () => (on.turns[0]?.frames ?? []).flatMap((frame) => ('choice' in frame ? [frame.choice] : []));

async function asked(): Promise<JsonObject> {
  await one.ask('prompt.submit', { session_id: id, text: 'clean up' });
  await on.begun(1);
  on.turns[0]?.emit(start);
  on.turns[0]?.emit(question());
  return one.until(isRequest);
}
const quiet = async () => {
  for (let i = 0; i < 20; i += 1) await turn();
};

test('a client that knows requests is asked once, by a request', async () => {
  assert.equal((await one.ask('client.capabilities', { server_requests: true }))['declines_not_shown'], true);
  const request = await asked();
  assert.match(String(request['id']), /^srq-[0-9a-f]{12}$/);
  assert.is(request['method'], 'approval');
  assert.equal(
    ['session_id', 'command', 'choices', 'allow_permanent'].map((key) => at(request, 'params', key)),
    [id, 'rm -rf build', ['once', 'deny'], false],
  );
  assert.equal(one.events('approval.request'), []);
  one.answer(request['id'] ?? null, { choice: 'once' });
  await quiet();
  assert.equal(given(), ['allow_once']);
  assert.equal(one.events('request.cancel'), []);
});

test('another client is asked by an event too, and answers by a method', async () => {
  const request = await asked();
  const event = await one.until(isEvent('approval.request'));
  assert.is(at(event, 'params', 'payload', 'request_id'), at(request, 'params', 'request_id'));
  const answer = { session_id: id, choice: 'once' };
  assert.equal(await one.ask('approval.respond', answer), { resolved: 1 });
  assert.equal(await one.ask('approval.respond', answer), { resolved: 0 });
  assert.equal(given(), ['allow_once']);
});

test('a choice that was not offered is refused, and the question stays open', async () => {
  const request = await asked();
  for (const choice of ['purple', 'always', 'session', '', 1, true, [], {}]) {
    assert.is(codeOf(await one.call('approval.respond', { session_id: id, choice })), 4000);
    assert.is(codeOf(await one.call('request.answer', { id: request['id'] ?? null, result: { choice } })), 4000);
    one.answer(request['id'] ?? null, { choice });
  }
  await quiet();
  assert.equal(given(), []);
  // An answer to a request has no answer: it is asked again.
  assert.is(one.frames.filter(isRequest).length, 9);
  assert.is((await one.ask('approval.pending', { session_id: id }))['count'], 1);
  one.answer(request['id'] ?? null, { choice: 'deny' });
  await quiet();
  assert.equal(given(), ['deny']);
});

test('the first answer wins, and the other client hears that the question is gone', async () => {
  const other = on.join();
  await other.ask('client.capabilities', { server_requests: true });
  await other.ask('session.activate', { session_id: id });
  const request = await asked();
  await other.until(isRequest);
  one.answer(request['id'] ?? null, { choice: 'once' });
  const cancel = await other.until(isEvent('request.cancel'));
  assert.equal(at(cancel, 'params', 'payload'), { id: request['id'], method: 'approval', reason: 'resolved' });
  other.answer(request['id'] ?? null, { choice: 'deny' });
  await quiet();
  assert.equal(given(), ['allow_once']);
  assert.equal(one.events('request.cancel'), []);
  assert.is(other.events('request.cancel').length, 1);
});

test('an error withdraws the question for all, unless the client only does not show it', async () => {
  await one.ask('client.capabilities', { server_requests: true, declines_not_shown: true });
  const request = await asked();
  one.refuse(request['id'] ?? null, 4404);
  await quiet();
  assert.equal(given(), []);
  one.refuse(request['id'] ?? null, -32601);
  await quiet();
  assert.equal(given(), ['deny']);
});

test('an interrupt withdraws what is open', async () => {
  await asked();
  await one.ask('session.interrupt', { session_id: id });
  on.turns[0]?.end(130);
  const cancel = await one.until(isEvent('request.cancel'));
  assert.is(at(cancel, 'params', 'payload', 'reason'), 'interrupted');
  assert.is((await one.ask('approval.respond', { session_id: id, choice: 'once' }))['resolved'], 0);
  assert.equal(given(), []);
});

test('a question outlives the client that was asked, and the next one answers it', async () => {
  const request = await asked();
  one.leave();
  const next = on.join();
  await next.ask('client.capabilities', { server_requests: true });
  const snapshot = await next.ask('session.resume', { session_id: id });
  assert.is(snapshot['status'], 'waiting');
  assert.is(at(snapshot, 'open_requests', 0, 'id'), request['id']);
  next.answer(request['id'] ?? null, { choice: 'once' });
  await quiet();
  assert.equal(given(), ['allow_once']);
  assert.is(next.frames.filter(isRequest).length, 0);
});

test('a client that never got the frame answers by its id, once', async () => {
  const request = await asked();
  const next = on.join();
  const answer = { id: request['id'] ?? null, result: { choice: 'once' } };
  assert.equal(await next.ask('request.answer', answer), { status: 'ok' });
  assert.equal(await next.ask('request.answer', answer), { status: 'expired' });
  assert.equal(given(), ['allow_once']);
});

test('of several open questions, `all` answers each, and the id picks one', async () => {
  await asked();
  on.turns[0]?.emit(question('pr_2'));
  on.turns[0]?.emit(question('pr_3'));
  while (one.frames.filter(isRequest).length < 3) await turn();
  const last = at(one.frames.filter(isRequest)[2], 'params', 'request_id') ?? null;
  assert.equal(await one.ask('approval.respond', { session_id: id, request_id: last, choice: 'once' }), {
    resolved: 1,
  });
  assert.equal(await one.ask('approval.respond', { session_id: id, choice: 'deny', all: true }), { resolved: 2 });
  assert.equal(
    on.turns[0]?.frames.map((frame) => ('choice' in frame ? [frame.id, frame.choice] : [])),
    [
      ['pr_3', 'allow_once'],
      ['pr_1', 'deny'],
      ['pr_2', 'deny'],
    ],
  );
});

test.run();
