/** What the dialect says and how it ends, by hand: what can't be had from a recording, or only seldom. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { begun, call, delta, ok, start, stop, tools } from './claude-lines.js';
import { hearAll, lines, saidText } from './drive.js';

test('a message that ended is not replaced by the next one', () => {
  const actions = hearAll(begun(), lines(start('m1'), delta('a'), stop(), start('m2'), delta('b'), stop()));
  assert.is(saidText(actions), 'ab');
  assert.not.ok(JSON.stringify(actions).includes('replaces'));
});

test('a retry replaces what was said, through tries that said nothing', () => {
  const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 3, retry_delay_ms: 5 };
  const actions = hearAll(
    begun(),
    lines(start('m1'), delta('a'), retry, start('m2'), retry, start('m3'), delta('b'), stop(), start('m4'), delta('c')),
  );
  const said = actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event] : [],
  );
  assert.equal(
    said.map(({ message_id, replaces }) => [message_id, replaces]),
    [
      ['m1', undefined],
      ['m3', 'm1'],
      ['m4', undefined],
    ],
  );
});

test('what survives a broken message is continued, not replaced', () => {
  const kept = stop({ abandoned_blocks: { api_message_id: 'm1', from_block_index: 1 } });
  const actions = hearAll(begun(), lines(start('m1'), delta('a'), kept, start('m2'), delta('b')));
  assert.not.ok(JSON.stringify(actions).includes('replaces'));
  const lost = stop({ abandoned_blocks: { api_message_id: 'm1', from_block_index: 0 } });
  assert.ok(
    JSON.stringify(hearAll(begun(), lines(start('m1'), delta('a'), lost, start('m2'), delta('b')))).includes(
      '"replaces":"m1"',
    ),
  );
});

test('text the program puts in the place of an answer decides nothing and is not said', () => {
  const synthetic = {
    type: 'assistant',
    message: { id: 'x', model: '<synthetic>', content: [{ type: 'text', text: 'API Error: connection lost' }] },
    error: 'server_error',
    is_api_error_message: true,
  };
  const actions = hearAll(begun(), lines(synthetic, start('m1'), delta('fine'), stop(), ok({ result: 'fine' })));
  assert.is(saidText(actions), 'fine');
  assert.equal(
    actions.filter((action) => action.do === 'model'),
    [],
  );
  const end = actions.at(-1);
  assert.ok(end?.do === 'finish' && end.outcome.ok);
});

test('model text never decides a code', () => {
  const text = 'Not logged in · Please run /login';
  const end = hearAll(begun(), lines(start('m1'), delta(text), stop(), ok({ result: text }))).at(-1);
  assert.ok(end?.do === 'finish' && end.outcome.ok);
});

test('only messages of the main agent that ask for tools are rounds', () => {
  const inner = { ...call('t2', 'Bash', {}, 'sub'), parent_tool_use_id: 't1' };
  const actions = hearAll(begun({ toolsOn: true, tools }), [
    ...lines(start('m1'), call('t1', 'Agent', {}), inner, stop()),
    ...lines(start('m2'), call('t3', 'mcp__turnout__a', {}, 'm2'), stop()),
    ...lines(start('m3'), call('t4', 'StructuredOutput', {}, 'm3'), stop()),
  ]);
  assert.equal(
    actions.filter((action) => action.do === 'round'),
    [
      { do: 'round', id: 'm1' },
      { do: 'round', id: 'm2' },
    ],
  );
});

test('a shell command that is a task to the program is no agent', () => {
  const task = { type: 'system', subtype: 'task_started', task_id: 'b1', tool_use_id: 't1', task_type: 'local_bash' };
  const actions = hearAll(begun(), lines(start('m1'), call('t1', 'Bash', { command: 'x' }), task));
  assert.equal(
    actions.flatMap((action) => (action.do === 'say' ? [action.event.type] : [])),
    ['tool_activity'],
  );
});

test('an agent that still works when the turn ends is told to have stopped', () => {
  const task = { type: 'system', subtype: 'task_started', task_id: 'a1', tool_use_id: 't1' };
  const actions = hearAll(begun(), lines(start('m1'), call('t1', 'Agent', {}), task, ok({ result: 'x' })));
  const phases = actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'subagent' ? [[action.event.phase, action.event.status]] : [],
  );
  assert.equal(phases, [
    ['started', undefined],
    ['finished', 'stopped'],
  ]);
});

test("a schema's answer is the outcome, not native work", () => {
  const actions = hearAll(
    begun({ outputSchema: {} }),
    lines(start('m1'), call('t', 'StructuredOutput', { a: 1 }), ok({ result: '{"a":1}', structured_output: { a: 1 } })),
  );
  assert.not.ok(actions.some((action) => action.do === 'say'));
  const end = actions.at(-1);
  assert.ok(end?.do === 'finish' && end.outcome.ok);
  if (end?.do === 'finish' && end.outcome.ok) assert.equal(end.outcome.structured, { a: 1 });
});

test('a program that leaves without a word fails the turn, with its own words where they are known', () => {
  const gone = { type: 'exit' as const, code: 1, signal: null, files: {} };
  const root = '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons';
  const [unsafe] = hearAll(begun(), [{ type: 'stderr', text: root }, gone]);
  assert.ok(unsafe?.do === 'finish' && !unsafe.outcome.ok && unsafe.outcome.code === 'unsafe');
  const [plain] = hearAll(begun(), [gone]);
  assert.ok(plain?.do === 'finish' && !plain.outcome.ok && plain.outcome.code === 'runner-error');
});

test('usage of a call that never ended is told when the program is gone', () => {
  const conversation = begun();
  hearAll(conversation, lines(start('m1'), delta('a')));
  const [spend] = conversation.hear({ type: 'exit', code: null, signal: 'SIGKILL', files: {} });
  assert.equal(spend, { do: 'spend', scope: 'turn', spent: { input: 5, output: 1, cached: 0, costUsd: null } });
});

test('nothing is said after the end', () => {
  const conversation = begun();
  hearAll(conversation, lines(ok({ result: 'x' })));
  assert.equal(
    hearAll(conversation, [...lines(start('m2'), delta('late'), ok()), { type: 'stop', cause: 'cancelled' }]),
    [],
  );
});

test('lines that are no JSON, or of a kind nobody knows, are kept and change nothing', () => {
  const actions = hearAll(
    begun(),
    lines('Warning: something', '[1]', '{"no":"type"}', { type: 'brand_new' }, { type: 'keep_alive' }, ''),
  );
  assert.equal(
    actions.map((action) => action.do),
    ['unread', 'unread', 'unread', 'unread'],
  );
});

test('malformed shapes of known lines do not throw', () => {
  const odd: (string | object)[] = [
    { type: 'stream_event' },
    { type: 'stream_event', event: { type: 'message_start' } },
    { type: 'stream_event', event: { type: 'content_block_delta', delta: 5 } },
    { type: 'assistant' },
    { type: 'assistant', message: { content: [null, 5, { type: 'tool_use' }] } },
    { type: 'user', message: { content: [{ type: 'tool_result' }] }, tool_result_meta: 7 },
    { type: 'system' },
    { type: 'system', subtype: 'init', mcp_servers: [5, { name: 'x' }] },
    { type: 'system', subtype: 'task_started' },
    { type: 'control_request' },
    { type: 'control_request', request_id: 'r', request: {} },
    { type: 'control_response' },
    { type: 'rate_limit_event' },
    { type: 'result' },
  ];
  assert.not.throws(() => hearAll(begun(), lines(...odd)));
});

test.run();

test.run();
