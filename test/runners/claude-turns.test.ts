/** Turns of the real program, as recorded, through the whole translator. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject, parseObject, str } from '../../src/text/json.js';
import { answer, HELLO, only, played, shape } from './claude-fixtures.js';

test('a plain answer comes in deltas, once, with its session, its usage and its cost', async () => {
  const { events, exitCode } = await played('text');
  assert.is(shape(events), 'start session assistant usage result done');
  assert.is(answer(events), HELLO);
  assert.ok(only(events, 'assistant').length > 1);
  assert.is(new Set(only(events, 'assistant').map((event) => event.message_id)).size, 1);
  const [usage] = only(events, 'usage');
  assert.is(usage?.input_tokens, 1200);
  assert.is(usage?.output_tokens, 34);
  assert.is(usage?.cached_tokens, 200);
  assert.is(usage?.cost_usd, 0.00357);
  const [result] = only(events, 'result');
  assert.equal(result?.model_usage, {
    'claude-sonnet-4-5': { input: 1000, output: 34, cache_read: 200, cache_creation: 0 },
  });
  assert.is(result?.peak_context_tokens, 1200);
  assert.is(exitCode, 0);
});

test('thinking is told apart from the answer and not repeated', async () => {
  const { events } = await played('thinking');
  assert.is(
    only(events, 'thinking')
      .map((event) => event.text)
      .join(''),
    'Let me think about this carefully.',
  );
  assert.is(answer(events), HELLO);
});

test('text survives whole, line separators and cut emoji included', async () => {
  const { events } = await played('unicode');
  const text = answer(events);
  assert.ok(text.includes('\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}'));
  assert.ok(text.includes('[\u2028] [\u2029]'));
  assert.ok(text.endsWith('newline\n end.'));
});

test('a command has one start and one end with its exit code', async () => {
  const { events } = await played('shell');
  const [start, end] = only(events, 'tool_activity');
  assert.ok(start?.phase === 'start' && end?.phase === 'end');
  assert.is(start.kind, 'shell');
  assert.equal(start.input, { command: 'pwd' });
  assert.is(end.ok, true);
  assert.is(end.output, '/project');
  assert.is(end.exit_code, 0);
  const failed = only((await played('shell-fails')).events, 'tool_activity')[1];
  assert.ok(failed?.phase === 'end');
  assert.is(failed.ok, false);
  assert.is(failed.exit_code, 2);
});

test('a command that writes is denied by the mode, and marked so', async () => {
  for (const name of ['shell-denied', 'old-denied', 'user-rules', 'read-outside']) {
    const { events, exitCode } = await played(name);
    const [, end] = only(events, 'tool_activity');
    assert.ok(end?.phase === 'end', name);
    assert.is(end.ok, false, name);
    assert.is(end.denied, true, name);
    assert.match(end.output, /^Denied: /, name);
    assert.is(exitCode, 0, name);
  }
});

test('the host is asked after the activity began, and its yes lets the command run', async () => {
  const { events } = await played('approved');
  assert.is(
    shape(events),
    'start session assistant tool_activity permission_request tool_activity assistant usage result done',
  );
  const [question] = only(events, 'permission_request');
  const [start, end] = only(events, 'tool_activity');
  assert.is(question?.tool_use_id, start?.id);
  assert.is(question?.kind, 'shell');
  assert.ok(end?.phase === 'end' && end.ok);
});

test('a cancel interrupts, also while a question or a call is open', async () => {
  for (const name of ['cancelled', 'cancelled-question', 'caller-tool-cancel']) {
    const { events, written, exitCode } = await played(name);
    assert.is(exitCode, 130, name);
    assert.is(only(events, 'error')[0]?.code, 'cancelled', name);
    assert.ok(
      written.some((text) => text.includes('"subtype":"interrupt"')),
      name,
    );
    assert.is(only(events, 'result').length, 0, name);
  }
});

test('a caller tool comes as a call and never as native work', async () => {
  for (const name of ['caller-tool', 'old-caller-tool']) {
    const { events, written } = await played(name);
    assert.equal(
      only(events, 'tool_call').map(({ id, name, args }) => ({ id, name, args })),
      [{ id: 'tc_1', name: 'create_nodes', args: { count: 2 } }],
    );
    assert.is(only(events, 'tool_activity').length, 0, name);
    assert.ok(answer(events).includes('Tool said: created 2 nodes'), name);
    const list = written
      .map((text) => parseObject(text))
      .find((frame) => JSON.stringify(frame).includes('"inputSchema"'));
    const text = JSON.stringify(list);
    assert.ok(isObject(list) && text.includes('"anthropic/alwaysLoad":true') && text.includes('"readOnlyHint":true'));
  }
});

test('caller tools run side by side and come back under their declared names', async () => {
  const { events } = await played('caller-tools');
  const order = events.flatMap((event) =>
    event.type === 'tool_call' || event.type === 'tool_result' ? [`${event.type} ${event.id}`] : [],
  );
  assert.equal(order, ['tool_call tc_1', 'tool_call tc_2', 'tool_result tc_2', 'tool_result tc_1']);
  assert.equal(
    only(events, 'tool_call').map((event) => event.name),
    ['create_nodes', 'look.up'],
  );
});

test('guidance during a tool reaches the same turn, late guidance a second one, and both end once', async () => {
  for (const [name, answers] of [
    ['steer', 2],
    ['steer-late', 2],
  ] as const) {
    const { events, exitCode } = await played(name);
    assert.equal(
      only(events, 'status').map((event) => event.steer),
      [{ id: 's1', delivered: true }],
      name,
    );
    assert.is(new Set(only(events, 'assistant').map((event) => event.message_id)).size, answers, name);
    assert.is(only(events, 'result').length, 1, name);
    assert.is(exitCode, 0, name);
  }
  const late = only((await played('steer-late')).events, 'result')[0];
  assert.is(late?.text, HELLO);
  assert.is(late?.input_tokens, 2400);
  assert.is(late?.cost_usd, 0.00714);
});

test('an agent is told with its work inside its tool call', async () => {
  const { events } = await played('subagent');
  const [start] = only(events, 'tool_activity');
  assert.ok(start?.phase === 'start' && start.kind === 'task');
  const steps = events.flatMap((event) => {
    if (event.type === 'subagent') return [`agent ${event.phase}`];
    return event.type === 'tool_activity' ? [`${event.phase} ${event.name}`] : [];
  });
  const wanted = [
    'start Agent',
    'agent started',
    'agent progress',
    'start Bash',
    'end Bash',
    'agent finished',
    'end Agent',
  ];
  assert.equal(steps, wanted);
  const inner = only(events, 'tool_activity').find((event) => event.phase === 'start' && event.name === 'Bash');
  assert.is(inner?.phase === 'start' && inner.parent_tool_use_id, start.id);
  const [told, , finished] = only(events, 'subagent');
  assert.is(told?.subagent_type, 'general-purpose');
  assert.is(told?.prompt, 'SCENARIO:shell echo sub-hello');
  assert.is(finished?.status, 'completed');
  assert.ok((finished?.summary?.length ?? 0) <= 500);
  assert.ok(only(events, 'assistant').some((event) => event.parent_tool_use_id === start.id));
  assert.not.ok(answer(events).startsWith('Running the tool.Running the tool.'));
});

test('the plan is the whole list each time', async () => {
  const lists = only((await played('tasks')).events, 'plan').map((event) => event.entries);
  assert.equal(lists.at(0), [{ content: 'look', status: 'pending' }]);
  assert.equal(lists.at(-1), [{ content: 'look', status: 'in_progress' }]);
  const todos = only((await played('todos')).events, 'plan').map((event) => event.entries);
  assert.equal(todos, [
    [
      { content: 'look around', status: 'completed' },
      { content: 'change it', status: 'in_progress' },
      { content: 'check it', status: 'pending' },
    ],
  ]);
});

test('usage adds up to what the program says at the end', async () => {
  for (const name of [
    'text',
    'shell',
    'caller-tool',
    'subagent',
    'steer-late',
    'retry-drop',
    'max-tokens',
    'old-drop',
  ]) {
    const { events } = await played(name);
    const sum = only(events, 'usage').reduce((total, event) => total + (event.input_tokens ?? 0), 0);
    const cost = only(events, 'usage').reduce((total, event) => total + (event.cost_usd ?? 0), 0);
    const [result] = only(events, 'result');
    assert.is(sum, result?.input_tokens, name);
    assert.ok(Math.abs(cost - (result?.cost_usd ?? 0)) < 1e-9, name);
  }
});

test('a server of the caller is allowed without a question and its picture is named', async () => {
  const { events } = await played('mcp-config');
  const [start, end] = only(events, 'tool_activity');
  assert.ok(start?.phase === 'start' && end?.phase === 'end');
  assert.is(start.kind, 'mcp');
  assert.equal(start.input, { server: 'ext', tool: 'ping', arguments: {} });
  assert.is(end.ok, true);
  assert.match(end.output, /^pong\n\[image\]/);
  const phases = only(events, 'status').map((event) => [event.phase, event.mcp_servers]);
  assert.equal(phases, [
    ['initializing', undefined],
    ['ready', [{ name: 'ext', status: 'connected' }]],
  ]);
});

test('the first line written is the hello, the second the prompt', async () => {
  const { written } = await played('text');
  const frames = written.map((text) => parseObject(text));
  assert.is(str(frames[0], 'request', 'subtype'), 'initialize');
  assert.is(str(frames[1], 'message', 'content', 0, 'text'), 'SCENARIO:text');
});

test.run();
