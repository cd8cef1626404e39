/** Turns of Cline 3.0.65, from recordings, and how it is started. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/cline/index.js';
import { endOf, inputFor, kindFor } from '../../runners/cline/tools.js';
import { notACommand, tooLongForArgv } from '../../runners/dialects/argv-prompt.js';
import type { Action } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request } from './drive.js';
import { play } from './play.js';

const bridge = { command: 'node', args: ['turnout.js', '__mcp-bridge'], env: { TURNOUT_MCP_BRIDGE: '/run/mcp' } };
const started = (changes: Partial<TurnRequest> = {}, on = machine()) => {
  const answer = runner.invoke(request(changes), on);
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
};
const written = (answer: ReturnType<typeof started>, key: string) => JSON.parse(answer.files?.[key]?.text ?? 'null');
const event = (inner: object) => ({ type: 'agent_event', event: inner });
const outcome = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];

test('the text comes in deltas, and the end does not repeat it', async () => {
  const { events, exitCode, of } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Hello ', 'from ', 'the ', 'scripted ', 'model.'],
  );
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.output_tokens, one.cached_tokens, one.cost_usd]),
    [[1200, 34, 200, null]],
  );
  assert.is(of('status').length, 0, 'a turn with default flags says nothing about itself');
  assert.is(events.at(-1)?.type, 'done');
});

test('thinking is told apart from the answer', async () => {
  const { of } = await play(runner, 'think');
  assert.ok(of('thinking').length > 1);
  assert.is(new Set(of('thinking').map((one) => one.message_id)).size, 1);
});

test('a failed command tells its code; a new file is a write', async () => {
  const [start, end] = (await play(runner, 'shell')).of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.kind, start.input], [
    'shell',
    { command: 'ls /nonexistent; exit 3' },
  ]);
  assert.equal(end?.phase === 'end' && [end.ok, end.exit_code], [false, 3]);
  const [made] = (await play(runner, 'write')).of('tool_activity');
  assert.equal(made?.phase === 'start' && [made.kind, made.input], ['write', { file_path: 'w.txt', content: 'lab' }]);
});

test("a caller's tool is a call, not native work", async () => {
  const { of } = await play(runner, 'tool');
  assert.equal(
    of('tool_call').map((one) => [one.name, one.args]),
    [['look_up', { word: 'x' }]],
  );
  assert.is(of('tool_activity').length, 0);
  assert.match(of('result')[0]?.text ?? '', /FOUND/);
});

test('a refused key is auth, an answer cut off three times max_tokens, a cancel cancelled', async () => {
  const refused = await play(runner, 'unauthorized');
  assert.equal([refused.exitCode, refused.of('error')[0]?.code], [1, 'auth']);
  const cut = await play(runner, 'max-tokens');
  assert.equal([cut.exitCode, cut.of('result')[0]?.stop_reason], [0, 'max_tokens']);
  const cancelled = await play(runner, 'cancel');
  assert.equal([cancelled.exitCode, cancelled.of('error')[0]?.code], [130, 'cancelled']);
});

// Each is the message of the event that a scripted provider's error became in 3.0.65.
const FAILURES: readonly (readonly [string, string | undefined, string])[] = [
  ['invalid api key', 'auth', 'auth'],
  ['Rate limit reached for mock-model on requests per min (RPM): Limit 3, Used 3.', 'unknown', 'rate-limited'],
  ['You exceeded your current quota, please check your plan and billing details.', 'unknown', 'quota'],
  ['The model `nope` does not exist or you do not have access to it.', 'unknown', 'model-unavailable'],
  [
    'The socket connection was closed unexpectedly. For more information, pass `verbose: true`',
    'unknown',
    'runner-error',
  ],
];

for (const [message, errorClass, code] of FAILURES) {
  test(`"${message.slice(0, 40)}…" is ${code}`, () => {
    const actions = hearAll(
      runner.converse(request(), machine()),
      lines(event({ type: 'error', error: { name: 'Error', message }, errorClass, recoverable: false }), {
        type: 'run_result',
        finishReason: 'error',
        text: message,
      }),
    );
    const end = outcome(actions);
    assert.equal(end && !end.ok && [end.code, end.message], [code, message]);
  });
}

test('an error it recovers from ends nothing, and words of the model decide nothing', () => {
  const actions = hearAll(
    runner.converse(request(), machine()),
    lines(
      event({ type: 'content_start', contentType: 'text', text: 'Rate limit reached for you' }),
      event({ type: 'error', error: { message: '1 tool call(s) failed' }, recoverable: true }),
      { type: 'run_result', finishReason: 'completed', text: 'Rate limit reached for you' },
    ),
  );
  assert.is(outcome(actions)?.ok, true);
});

test('a text that comes whole is said whole', () => {
  const actions = hearAll(
    runner.converse(request(), machine()),
    lines(
      event({ type: 'content_end', contentType: 'text', text: 'one' }),
      event({ type: 'content_start', contentType: 'text', text: 'two' }),
      event({ type: 'content_end', contentType: 'text', text: 'two' }),
    ),
  );
  const said = actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [[action.event.text, action.event.message_id]] : [],
  );
  assert.equal(said, [
    ['one', 'assistant 0'],
    ['two', 'assistant 1'],
  ]);
});

test('its last words on stderr are one JSON object among stack traces', () => {
  const actions = hearAll(runner.converse(request(), machine()), [
    { type: 'stderr', text: 'DeprecationWarning: AI SDK Warning' },
    { type: 'stderr', text: '{"ts":"x","type":"error","message":"JSON output mode requires a prompt argument"}' },
    { type: 'exit', code: 1, signal: null, files: {} },
  ]);
  const end = outcome(actions);
  assert.is(end && !end.ok && end.message, 'JSON output mode requires a prompt argument');
});

test('at the default mode only tools that read are offered; at full access all but questions', () => {
  const scoped = started({ access: 'scoped' });
  const off: string[] = written(scoped, 'settings').disabledTools;
  for (const name of ['run_commands', 'editor', 'apply_patch', 'fetch_web_content', 'spawn_agent']) {
    assert.ok(off.includes(name), name);
  }
  assert.equal(
    off.filter((name) => /^(read_files|search_codebase)$/.test(name)),
    [],
  );
  assert.equal(written(started({ access: 'full' }), 'settings').disabledTools, ['ask_question']);
  const confined = started({ access: 'full', sandbox: 'read-only', settings: ['user'] });
  assert.ok(written(confined, 'settings').disabledTools.includes('run_commands'));
});

test('it never leaves the turn to its daemon, and its login stays where it is', () => {
  const { env, argv } = started();
  assert.is(env['CLINE_SESSION_BACKEND_MODE'], 'local');
  assert.is(env['CLINE_DATA_DIR'], '/home/user/.cline/data');
  assert.ok(argv.includes('--config'));
  const moved = started({}, machine({ envNames: new Set(['CLINE_DATA_DIR']) }));
  assert.is(moved.env['CLINE_DATA_DIR'], undefined);
  const own = started({ settings: ['user'], access: 'full' });
  assert.equal([own.argv.includes('--config'), own.env['CLINE_MCP_SETTINGS_PATH']], [false, undefined]);
});

test("the caller's servers stand beside ours, which has more time than a call", () => {
  const stdio = { name: 'files', type: 'stdio', command: 'srv', args: ['-x'], env: { A: '1' } } as const;
  const http = { name: 'far', type: 'http', url: 'https://example.test/mcp', headers: { H: 'v' } } as const;
  const tools = [{ name: 'add', description: '', schema: {} }];
  const changes = { toolsOn: true, tools, toolTimeoutMs: 90_000, mcpServers: [{ ...stdio, args: ['-x'] }, http] };
  const { mcpServers } = written(started(changes, machine({ mcpBridge: bridge })), 'mcp');
  assert.equal(Object.keys(mcpServers), ['files', 'far', 'turnout']);
  assert.equal(mcpServers.turnout.timeout, 120);
  assert.equal(mcpServers.far.type, 'streamableHttp');
});

test('a prompt of one word is no command, and one that is too long is refused', () => {
  assert.is(started({ prompt: 'version' }).argv.at(-1), '\nversion');
  assert.is(notACommand('fix the tests'), 'fix the tests');
  assert.is(started({ prompt: '-x now', system: 'Be short.' }).argv.at(-1), 'Be short.\n\n---\n\n-x now');
  const answer = runner.invoke(request({ prompt: 'x '.repeat(70_000) }), machine());
  assert.is(isRefusal(answer) && answer.refuse, 'unsupported');
  assert.is(tooLongForArgv('x', 'é'.repeat(61_440)), null);
  assert.ok(tooLongForArgv('x', 'é'.repeat(61_441)));
});

test('lists of one are the canonical value, lists of several keep theirs', () => {
  assert.equal(inputFor('read_files', { files: [{ path: 'a', end_line: 3 }] }), { file_path: 'a' });
  assert.equal(inputFor('run_commands', { commands: ['a', 'b'] }), { command: 'a\nb', commands: ['a', 'b'] });
  assert.is(kindFor('editor', { path: 'a', old_text: 'x', new_text: 'y' }), 'edit');
  const refused = endOf({
    output: { error: 'Tool "editor" requires approval in a TTY session -- NOT a tool or system failure.' },
    error: '{"error":"Tool \\"editor\\" requires approval in a TTY session"}',
  });
  assert.equal([refused.ok, refused.denied], [false, true]);
});

test('a cost is the growth of its running total, and null where it knows no price', () => {
  const spent = (totalCost: number) => event({ type: 'usage', inputTokens: 10, outputTokens: 1, totalCost });
  const actions = hearAll(runner.converse(request({ budgetUsd: 1 }), machine()), lines(spent(0), spent(0)));
  assert.is(actions.filter((action) => action.do === 'say').length, 1, 'the budget can not be checked: told once');
  const priced = hearAll(runner.converse(request(), machine()), lines(spent(0.5), spent(0.75)));
  assert.equal(
    priced.flatMap((action) => (action.do === 'spend' ? [action.spent.costUsd] : [])),
    [0.5, 0.25],
  );
});

const hook = (name: string, agentId: string, parentAgentId: string | null) => {
  return { type: 'hook_event', hookEventName: name, agentId, parentAgentId };
};
const says = (text: string) => [
  event({ type: 'content_start', contentType: 'text', text }),
  event({ type: 'content_end', contentType: 'text', text }),
];
const spawn = (toolCallId: string) =>
  event({ type: 'content_start', contentType: 'tool', toolName: 'spawn_agent', toolCallId, input: { task: 'look' } });
const spawned = (toolCallId: string) =>
  event({ type: 'content_end', contentType: 'tool', toolName: 'spawn_agent', toolCallId, output: { text: 'found' } });
const used = (totalCost: number) => event({ type: 'usage', inputTokens: 1, outputTokens: 1, totalCost });
const said = (...messages: object[]) =>
  hearAll(runner.converse(request({}), machine()), lines(...messages)).flatMap((action) => {
    if (action.do === 'spend') return [`cost ${action.spent.costUsd}`];
    if (action.do !== 'say') return [];
    const { event: one } = action;
    if (one.type === 'assistant') return [`${one.parent_tool_use_id ?? 'main'}: ${one.text}`];
    if (one.type === 'tool_activity' && one.phase === 'end') return [`${one.id} ended: ${one.output}`];
    return one.type === 'notice' ? [`notice ${one.code}`] : [];
  });

test("what a helper says is the helper's, and its costs are its own", () => {
  assert.equal(
    said(
      hook('agent_start', 'm', null),
      used(0.5),
      spawn('a'),
      hook('agent_start', 'h', 'm'),
      ...says('inner'),
      used(0.25),
      hook('agent_end', 'h', 'm'),
      spawned('a'),
      ...says('outer'),
      used(0.75),
    ),
    ['cost 0.5', 'a: inner', 'cost 0.25', 'a ended: found', 'main: outer', 'cost 0.25'],
  );
});

test('what several helpers say at once is left out, with a notice', () => {
  assert.equal(
    said(
      spawn('a'),
      spawn('b'),
      hook('agent_start', 'h', 'm'),
      hook('agent_start', 'i', 'm'),
      ...says('whose'),
      ...says('whose again'),
      hook('agent_end', 'h', 'm'),
      hook('agent_end', 'i', 'm'),
      spawned('a'),
      spawned('b'),
      ...says('outer'),
    ),
    ['notice text-left-out', 'a ended: found', 'b ended: found', 'main: outer'],
  );
});

test.run();
