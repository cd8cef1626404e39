import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { agent, OPTIONS } from './acp-play.js';
import { saidText } from './drive.js';

const text = (value: string, more = {}) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: value },
  ...more,
});
const thought = (value: string) => ({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: value } });

test('a turn is initialize, a new session, the prompt, its answer', () => {
  const one = agent();
  one.open();
  assert.equal(one.sent('initialize')['params'], {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'turnout', title: 'Turnout', version: '1' },
  });
  assert.equal(one.sent('session/new')['params'], { cwd: '/project', mcpServers: [] });
  assert.equal(one.sent('session/prompt')['params'], {
    sessionId: 's-1',
    prompt: [{ type: 'text', text: 'hello' }],
  });
  one.update(text('Hel'));
  one.update(text('lo'));
  one.answer('session/prompt', { stopReason: 'end_turn' });
  assert.is(saidText(one.actions), 'Hello');
  assert.equal(one.said()[0], { type: 'session', session_id: 's-1' });
  assert.equal(one.outcome(), { ok: true, stopReason: 'end_turn' });
});

test('text that follows the end of the answer is left out, and one notice says so', () => {
  const one = agent();
  one.open();
  one.update(text('Hello'));
  one.answer('session/prompt', { stopReason: 'end_turn' });
  assert.not.ok(one.actions.some(({ do: what }) => what === 'finish'));
  one.update(text(' and'));
  one.update(text(' more'));
  assert.is(saidText(one.actions), 'Hello');
  assert.equal(one.outcome(), { ok: true, stopReason: 'end_turn' });
  const notices = one.said().filter(({ type }) => type === 'notice');
  assert.is(notices.length, 1);
  assert.match(JSON.stringify(notices[0]), 'went on after it had ended its answer');
  assert.is(one.actions.filter(({ do: what }) => what === 'unread').length, 2);
});

test('a program that goes away with the end of its answer has answered', () => {
  const one = agent();
  one.open();
  one.update(text('Hello'));
  one.answer('session/prompt', { stopReason: 'end_turn' });
  one.hear({ type: 'exit', code: 0, signal: null, files: {} });
  assert.equal(one.outcome(), { ok: true, stopReason: 'end_turn' });
});

test('stop reasons keep their meaning', () => {
  for (const [native, ours] of [
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['max_turn_requests', 'max_turns'],
    ['something_new', 'end_turn'],
  ]) {
    const one = agent();
    one.open();
    one.answer('session/prompt', { stopReason: native ?? '' });
    assert.equal(one.outcome(), { ok: true, stopReason: ours });
  }
});

test('text without message ids becomes a new message after a tool', () => {
  const one = agent();
  one.open();
  one.update(text('a'));
  one.update(text('b'));
  one.update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'ls', kind: 'search', status: 'completed' });
  one.update(text('c'));
  const ids = one.said().flatMap((event) => (event.type === 'assistant' ? [event.message_id] : []));
  assert.is(ids[0], ids[1]);
  assert.is.not(ids[1], ids[2]);
});

test('a retry says which message it repeats, with the id of the agent or without', () => {
  const log = () => ({
    read: (line: string) =>
      line === 'again' ? [{ fact: 'retry', attempt: 1, delayMs: null, code: null, message: 'x' } as const] : [],
  });
  for (const more of [{}, { messageId: 'msg_1' }]) {
    const one = agent({ log });
    one.open();
    one.update(text('Hel', more));
    one.hear({ type: 'stderr', text: 'again' });
    one.update(text('Hello', more));
    one.update(text('!', more));
    const [first, second, third] = one.said().filter((event) => event.type === 'assistant');
    assert.ok(first?.type === 'assistant' && second?.type === 'assistant' && third?.type === 'assistant');
    assert.is(first.replaces, undefined);
    assert.is(second.replaces, first.message_id);
    assert.is(third.message_id, second.message_id);
    assert.is.not(second.message_id, first.message_id);
  }
});

test('noise in front of thoughts and the program’s own chunks are taken out', () => {
  const one = agent({ thoughtNoise: /^\*\*\*\*\n/, wholeThoughts: true, notModel: /^\[MODE\]/ });
  one.open();
  one.update(thought('****\nFirst.'));
  one.update(thought('****\nSecond.'));
  one.update(text('[MODE] plan'));
  const thoughts = one.said().flatMap((event) => (event.type === 'thinking' ? [event.text] : []));
  assert.is(thoughts.join(''), 'First.\nSecond.');
  assert.is(saidText(one.actions), '');
});

test('the system prompt goes in front of the first prompt of a session, and of no later one', () => {
  const fresh = agent({}, { system: 'Be kind.' });
  fresh.open();
  assert.equal(fresh.sent('session/prompt')['params'], {
    sessionId: 's-1',
    prompt: [{ type: 'text', text: 'Be kind.\n\nhello' }],
  });
  const resumed = agent({}, { system: 'Be kind.', resume: 's-1' });
  resumed.hear({ type: 'spawned' });
  resumed.answer('initialize', { protocolVersion: 1 });
  resumed.answer('session/load', {});
  assert.not.match(JSON.stringify(resumed.sent('session/prompt')), 'Be kind');
});

test('a prompt that looks like a command of the program still reaches the model', () => {
  const one = agent({ commandMarks: '/' }, { prompt: '  /etc/hosts, what is it?' });
  one.open();
  const sent = JSON.stringify(one.sent('session/prompt'));
  assert.match(sent, '"\u200b/etc/hosts, what is it?"');
});

test('files, terminals and unknown requests of the agent are refused, odd lines are kept aside', () => {
  const one = agent();
  one.open();
  one.ask(7, 'fs/read_text_file', { path: '/etc/passwd' });
  one.ask(8, 'vendor/thing', {});
  assert.equal(one.replied(7)?.['error'], { code: -32601, message: 'Method not found: fs/read_text_file' });
  assert.ok(one.replied(8)?.['error']);
  for (const odd of ['Welcome!', '{"half', '[]', '{"jsonrpc":"2.0","id":99,"result":{}}']) {
    const [first] = one.hear({ type: 'line', text: odd });
    assert.is(first?.do, 'unread', odd);
  }
  one.update({ sessionUpdate: 'something_new', x: 1 });
  assert.is(one.actions.at(-1)?.do, 'unread');
  one.update(text('of another session'), 's-2');
  assert.is(saidText(one.actions), '');
});

test('a plan is passed on whole', () => {
  const one = agent();
  one.open();
  one.update({
    sessionUpdate: 'plan',
    entries: [
      { content: 'look', priority: 'high', status: 'completed' },
      { content: 'do', priority: 'low', status: 'new' },
    ],
  });
  assert.equal(one.said().at(-1), {
    type: 'plan',
    entries: [
      { content: 'look', status: 'completed' },
      { content: 'do', status: 'pending' },
    ],
  });
});

test('a stop answers open questions and cancels; what comes then is no error of the agent', () => {
  const one = agent();
  one.open();
  one.ask(3, 'session/request_permission', { options: OPTIONS, toolCall: { toolCallId: 'c1', kind: 'execute' } });
  one.hear({ type: 'stop', cause: 'cancelled' });
  assert.equal(one.replied(3)?.['result'], { outcome: { outcome: 'cancelled' } });
  assert.equal(one.sent('session/cancel')['params'], { sessionId: 's-1' });
  one.ask(4, 'session/request_permission', { options: OPTIONS, toolCall: { toolCallId: 'c2', kind: 'execute' } });
  assert.equal(one.replied(4)?.['result'], { outcome: { outcome: 'cancelled' } });
  one.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
  const end = one.said().at(-1);
  assert.ok(end?.type === 'tool_activity' && end.phase === 'end' && end.cancelled && !end.ok);
  one.answer('session/prompt', { stopReason: 'cancelled' });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'cancelled');
});

test('a stop before the prompt closes stdin', () => {
  const one = agent();
  one.hear({ type: 'spawned' });
  assert.equal(one.hear({ type: 'stop', cause: 'timeout' }), [{ do: 'end-stdin' }]);
});

test('guidance is a second prompt where that works, and is told as taken at the next model call', () => {
  const log = () => ({ read: (line: string) => (line === 'call' ? [{ fact: 'call' } as const] : []) });
  const one = agent({ steersByPrompt: true, log });
  one.open();
  one.hear({ type: 'steer', id: 'x', text: 'shorter' });
  assert.equal(one.sent('session/prompt')['params'], { sessionId: 's-1', prompt: [{ type: 'text', text: 'shorter' }] });
  assert.not.ok(one.actions.some((action) => action.do === 'steered'));
  one.hear({ type: 'stderr', text: 'call' });
  assert.equal(one.actions.at(-1), { do: 'steered', id: 'x', delivered: true });
  // Both prompts are answered in the end; the turn ends with the last of them.
  one.hear({ type: 'line', text: '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}' });
  assert.is(one.outcome(), undefined);
  one.answer('session/prompt', { stopReason: 'end_turn' });
  assert.equal(one.outcome(), { ok: true, stopReason: 'end_turn' });

  const deaf = agent();
  deaf.open();
  deaf.hear({ type: 'steer', id: 'y', text: 'shorter' });
  assert.equal(deaf.actions.at(-1), { do: 'steered', id: 'y', delivered: false });
});

test.run();
