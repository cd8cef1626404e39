/** Turns of @vibe-kit/grok-cli 0.0.34, from recordings: chat messages, printed at the end; and its namesake's runner. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ChatProgram, chatJsonl } from '../../runners/dialects/chat-jsonl.js';
import grok from '../../runners/grok.js';
import runner from '../../runners/grok-cli.js';
import type { Action } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request } from './drive.js';
import { play } from './play.js';

const npm = (variant: string | null = '@vibe-kit/grok-cli') => {
  const on = machine();
  return machine({ program: { ...on.program, variant } });
};
const started = (changes: Partial<TurnRequest> = {}) => runner.invoke(request(changes), npm());
const argv = (changes: Partial<TurnRequest> = {}) => {
  const answer = started(changes);
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.join(' ');
};
const program: ChatProgram = { title: 'Chat', kinds: {}, failure: () => null };
const chat = (changes: Partial<ChatProgram>, ...messages: object[]) =>
  hearAll(chatJsonl({ ...program, ...changes }, null), [
    ...lines(...messages),
    { type: 'exit', code: 0, signal: null, files: {} },
  ]);
const outcome = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];

test('the prompt that comes back is left out, the answer is said', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Hello from the scripted model.'],
  );
  assert.is(of('usage').length, 0, 'no figure is invented');
});

test('a failed command is one', async () => {
  const [start, end] = (await play(runner, 'shell')).of('tool_activity');
  assert.is(start?.phase === 'start' && start.kind, 'shell');
  assert.is(end?.phase === 'end' && end.ok, false);
});

test('an error that looks like an answer fails the turn, and is not told as one', async () => {
  const { of, exitCode } = await play(runner, 'unauthorized');
  assert.is(exitCode, 1);
  assert.is(of('assistant').length, 0);
  assert.is(of('error')[0]?.code, 'runner-error', 'words never decide more');
  assert.is((await play(runner, 'no-answer')).of('error')[0]?.code, 'runner-error');
});

test('its limit of rounds is max_turns', async () => {
  const { of, exitCode } = await play(runner, 'max-turns');
  assert.is(exitCode, 1);
  assert.is(of('result')[0]?.stop_reason, 'max_turns');
});

test("a caller's tool takes a second process with the whole transcript", async () => {
  const { of, exitCode } = await play(runner, 'tool');
  assert.is(exitCode, 0);
  assert.is(of('tool_call').length, 1);
  assert.is(of('result')[0]?.text, 'Tool said: FOUND {"word":"x"}', 'the last message, not both');
});

test('no key is auth', async () => {
  const { of } = await play(runner, 'no-login');
  assert.equal([of('error')[0]?.code, of('error')[0]?.hint], ['auth', runner.loginHint]);
});

test('of two programs called grok each runner takes its own, and names the other', () => {
  for (const variant of [null, 'another-grok']) {
    const answer = runner.invoke(request(), npm(variant));
    assert.match(isRefusal(answer) ? answer.message : '', /--runtime grok$/);
  }
  const wrong = grok.invoke(request(), npm());
  assert.match(isRefusal(wrong) ? wrong.message : '', /--runtime grok-cli$/);
  assert.ok(!isRefusal(grok.invoke(request(), npm(null))));
});

test('a prompt may begin like a flag, and has its limit', () => {
  assert.match(argv({ prompt: '--help me' }), / --prompt=--help me$/);
  assert.match(argv({ maxTurns: 3 }), /--max-tool-rounds 3 /);
  assert.match(argv({ prompt: 'x'.repeat(130_000) }), /^refused: unsupported/);
});

test('an answer is held only until it is known to be one', () => {
  const errorText = /^Sorry, I encountered an error: /;
  const sorry = { role: 'assistant', content: 'Sorry, I encountered an error: 500' };
  const failed = outcome(chat({ errorText }, sorry));
  assert.is(failed && !failed.ok && failed.message, sorry.content);
  const later = chat({ errorText }, sorry, { role: 'assistant', content: 'All is well.' });
  assert.is(later.filter((action) => action.do === 'say').length, 2, 'another answer followed: it was none');
  assert.is(outcome(later)?.ok, true);
});

test('ending on a tool, or without a word, is no answer', () => {
  const calls = [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }];
  const open = chat(
    {},
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'c1', content: 'a' },
  );
  assert.is(outcome(open)?.ok, false);
  assert.is(outcome(chat({}, { role: 'user', content: 'hello' }))?.ok, false);
});

test('content may come in parts', () => {
  const parts = [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }];
  const said = chat({}, { role: 'assistant', content: parts }).flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event.text] : [],
  );
  assert.equal(said, ['ab']);
});

test('its list of steps is a plan, changed step by step, and not by a call that failed', () => {
  const call = (id: string, name: string, input: object) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  });
  const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const todos = ['look', 'change'].map((content, at) => ({ id: `${at}`, content, status: 'pending', priority: 'low' }));
  const conversation = runner.converse(request({}), npm());
  const actions = hearAll(conversation, [
    ...lines(
      call('a', 'create_todo_list', { todos }),
      answer('a', '○ look'),
      call('b', 'update_todo_list', { updates: [{ id: '0', status: 'completed' }] }),
      answer('b', '● look'),
      call('c', 'update_todo_list', { updates: [{ id: '9', status: 'completed' }] }),
      answer('c', 'Todo with id 9 not found'),
      { role: 'assistant', content: 'Done.' },
    ),
    { type: 'exit', code: 0, signal: null, files: {} },
  ]);
  const said = actions.flatMap((action) => (action.do === 'say' ? [action.event] : []));
  assert.equal(
    said.flatMap((event) =>
      event.type === 'plan' ? [event.entries.map(({ content, status }) => `${content} ${status}`)] : [],
    ),
    [
      ['look pending', 'change pending'],
      ['look completed', 'change pending'],
    ],
  );
  const ends = said.flatMap((event) => (event.type === 'tool_activity' && event.phase === 'end' ? [event.ok] : []));
  assert.equal(ends, [true, true, false]);
});

test.run();
