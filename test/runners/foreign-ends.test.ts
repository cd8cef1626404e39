/** An end mark that belongs to another prompt than ours ends nothing: it is told, and the answer is awaited. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { turnView } from '../../runners/codex/turn-view.js';
import droid from '../../runners/droid/index.js';
import pi from '../../runners/pi/index.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import { hearAll, lines, machine, request, saidText } from './drive.js';

const notices = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.do === 'say' && action.event.type === 'notice' ? [action.event.message] : []));
const outcomes = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []));

/** codex, in our turn `ours` of the thread `t`. */
function codex() {
  const view = turnView();
  view.opened({ threadId: 't', model: 'm', provider: 'p', effort: undefined });
  view.began('ours');
  const completed = (threadId: string, id: string, more: JsonObject = {}) =>
    view.hear('turn/completed', { threadId, turn: { id, status: 'completed', ...more } });
  const failed = { threadId: 't', turnId: 'ours', willRetry: false, error: { message: 'it broke' } };
  return { view, completed, failed };
}

test('codex: the end of another turn of the thread, and one of another thread, are none of ours', () => {
  const { view, completed } = codex();
  const other = completed('t', 'other');
  assert.equal(outcomes(other), []);
  assert.match(notices(other)[0] ?? '', 'the answer to the prompt is still awaited');
  assert.equal(outcomes(completed('elsewhere', 'ours')), []);
  // What another turn says is no answer either.
  const delta = { threadId: 't', turnId: 'other', itemId: 'i', delta: 'not ours' };
  assert.is(saidText(view.hear('item/agentMessage/delta', delta)), '');
  assert.is(saidText(view.hear('item/agentMessage/delta', { ...delta, turnId: 'ours', delta: 'ours' })), 'ours');
  assert.equal(
    outcomes(completed('t', 'ours')).map(({ ok }) => ok),
    [true],
  );
});

test('codex: an end before our turn has begun is another one', () => {
  const view = turnView();
  view.opened({ threadId: 't', model: 'm', provider: 'p', effort: undefined });
  const early = view.hear('turn/completed', { threadId: 't', turn: { id: 'before', status: 'completed' } });
  assert.equal(outcomes(early), []);
  assert.is(notices(early).length, 1);
});

test('codex: an error that nothing followed has failed a turn that says completed', () => {
  const { view, completed, failed } = codex();
  view.hear('error', failed);
  const [outcome] = outcomes(completed('t', 'ours'));
  assert.ok(outcome?.ok === false, JSON.stringify(outcome));
  assert.match(outcome.message, 'it broke');
});

test('codex: an error of the turn itself wins over its status, one that the model got over does not', () => {
  const own = codex();
  const [told] = outcomes(own.completed('t', 'ours', { error: { message: 'it broke' } }));
  assert.ok(told?.ok === false, JSON.stringify(told));
  const over = codex();
  over.view.hear('error', over.failed);
  over.view.hear('item/agentMessage/delta', { threadId: 't', turnId: 'ours', itemId: 'i', delta: 'after all' });
  assert.is(outcomes(over.completed('t', 'ours'))[0]?.ok, true);
});

test('pi: what settles before it has begun with our prompt is not the answer', () => {
  const talk = pi.converse(request({ access: 'full' }), machine());
  const begun = hearAll(talk, [{ type: 'spawned' }]);
  const lastId = () => {
    const sent = begun.flatMap((action) => (action.do === 'write' ? [JSON.parse(action.line)] : []));
    return String(sent.at(-1)?.id);
  };
  const answer = (command: string) =>
    hearAll(
      talk,
      lines({
        ...{ type: 'response', id: lastId(), command, success: true },
        data: { sessionId: 's', model: { id: 'm' } },
      }),
    );
  begun.push(...answer('get_state'));
  const speak = (text: string) =>
    lines(
      { type: 'message_start', message: { role: 'assistant' } },
      { type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' } },
      { type: 'agent_settled' },
    );
  const early = hearAll(talk, speak('of an earlier prompt'));
  assert.equal(outcomes(early), []);
  assert.is(saidText(early), '');
  assert.match(notices(early)[0] ?? '', 'still awaited');
  begun.push(...answer('prompt'));
  const ours = hearAll(talk, [...lines({ type: 'agent_start' }), ...speak('ours')]);
  assert.is(saidText(ours), 'ours');
  assert.is(outcomes(ours)[0]?.ok, true);
});

const note = (notification: object, sessionId = 's') => ({
  type: 'notification',
  method: 'droid.session_notification',
  params: { sessionId, notification },
});
const ends = (sessionId = 's') => [
  note({ type: 'agent_turn_completed', reason: 'completed' }, sessionId),
  note({ type: 'droid_working_state_changed', newState: 'idle' }, sessionId),
];

test('droid: an end before the prompt was taken, and one of another session, are none of ours', () => {
  const talk = droid.converse(request(), machine());
  const opened = { type: 'response', id: '1', result: { sessionId: 's' } };
  const early = hearAll(talk, [{ type: 'spawned' }, ...lines(opened, ...ends())]);
  assert.equal(outcomes(early), []);
  assert.match(notices(early)[0] ?? '', 'still awaited');
  const taken = { type: 'response', id: '2', result: {} };
  const delta = { type: 'assistant_text_delta', messageId: 'a', textDelta: 'hello' };
  const other = hearAll(talk, lines(taken, note({ ...delta, textDelta: 'not ours' }, 'child'), ...ends('child')));
  assert.equal(outcomes(other), []);
  assert.is(saidText(other), '');
  const ours = hearAll(talk, lines(note(delta), ...ends()));
  assert.is(saidText(ours), 'hello');
  assert.is(outcomes(ours)[0]?.ok, true);
});

test.run();
