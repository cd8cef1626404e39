/** Turns of pi 1.6.0, from recordings, and its extension and arguments. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOfMessage, withoutKey } from '../../runners/dialects/openai-error.js';
import { extension, toolPrefix } from '../../runners/pi/extension.js';
import runner from '../../runners/pi/index.js';
import { nativeTool } from '../../runners/pi/tools.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request } from './drive.js';
import { play } from './play.js';

const argv = (changes: Partial<TurnRequest>, version = '1.6.0') => {
  const on = machine();
  const answer = runner.invoke(request(changes), { ...on, program: { ...on.program, version } });
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.map((one) => JSON.stringify(one)).join(' ');
};

test('a short answer comes in deltas, priced, after the session', async () => {
  const { events, exitCode, of, sent } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((event) => event.text),
    ['Hello ', 'from ', 'the ', 'scripted ', 'model.'],
  );
  assert.is(events[1]?.type, 'session');
  assert.equal(
    of('usage').map((event) => [event.input_tokens, event.output_tokens, event.cached_tokens, event.cost_usd]),
    [[1200, 34, 200, 0.001068]],
  );
  assert.is(of('status').length, 0);
  assert.equal(
    sent.map((message) => message['type']),
    ['get_state', 'prompt'],
  );
});

test('thinking is told apart from the answer', async () => {
  const { of } = await play(runner, 'thinking');
  assert.is(
    of('thinking')
      .map((event) => event.text)
      .join(''),
    'Let me think about this carefully.',
  );
});

test('a command that reads runs at the default mode, one that writes is denied with a reason', async () => {
  const ran = await play(runner, 'shell');
  const end = ran.of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.ok && end.exit_code === 0);
  const denied = await play(runner, 'shell-denied');
  const last = denied.of('tool_activity')[1];
  assert.ok(last?.phase === 'end' && last.denied && !last.ok);
  assert.match(JSON.stringify(denied.sent.at(-1)), /\\"allow\\":false,\\"message\\":\\"Denied: `touch`/);
  const failed = await play(runner, 'shell-fails');
  const gone = failed.of('tool_activity')[1];
  assert.ok(gone?.phase === 'end' && !gone.ok && gone.exit_code === 1 && !gone.denied);
});

test('the host is asked where it wants to be', async () => {
  const { of, sent } = await play(runner, 'approved');
  assert.equal(
    [of('permission_request')[0]?.kind, of('permission_request')[0]?.input],
    ['shell', { command: 'touch made.txt' }],
  );
  assert.is(of('permission_request')[0]?.tool_use_id, of('tool_activity')[0]?.id);
  assert.match(JSON.stringify(sent.at(-1)), '\\"allow\\":true');
});

test('files are changed inside the folder and nowhere else at the mode edit', async () => {
  const edited = await play(runner, 'edit');
  const start = edited.of('tool_activity')[0];
  assert.equal(start?.phase === 'start' && [start.kind, start.input], [
    'edit',
    { file_path: 'a.txt', old_string: 'one', new_string: 'two' },
  ]);
  const outside = await play(runner, 'write-outside');
  const end = outside.of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.denied);
});

test('full access asks nothing', async () => {
  const { of, sent } = await play(runner, 'full');
  assert.ok(of('tool_activity')[1]?.phase === 'end');
  assert.not.ok(sent.some((message) => message['type'] === 'extension_ui_response'));
});

test('caller tools are called over dialogs, several at once, in any order', async () => {
  const one = await play(runner, 'tool');
  assert.equal(
    one.of('tool_call').map((event) => [event.name, event.args]),
    [['create_nodes', { count: 2 }]],
  );
  assert.is(one.of('tool_activity').length, 0);
  assert.match(JSON.stringify(one.sent.at(-1)), '\\"ok\\":true,\\"text\\":\\"made 2\\"');
  const two = await play(runner, 'tools-parallel');
  assert.equal(
    two.events.filter((event) => event.type === 'tool_call' || event.type === 'tool_result').map((event) => event.type),
    ['tool_call', 'tool_call', 'tool_result', 'tool_result'],
  );
  const failed = await play(runner, 'tool-fails');
  assert.match(JSON.stringify(failed.sent.at(-1)), '\\"ok\\":false');
});

test('a session is continued under its id', async () => {
  const { exitCode, of } = await play(runner, 'resume');
  assert.is(exitCode, 0);
  assert.is(of('session')[0]?.session_id, of('start')[0]?.resume);
});

for (const [name, code, exit] of [
  ['resume-unknown', 'session-not-found', 1],
  ['auth', 'auth', 1],
  ['rate-limited', 'rate-limited', 1],
  ['quota', 'quota', 1],
  ['no-model', 'model-unavailable', 1],
  ['unknown-provider', 'model-unavailable', 1],
  ['no-login', 'auth', 1],
  ['cancel', 'cancelled', 130],
  ['cancel-question', 'cancelled', 130],
] as const) {
  test(`${name} ends with ${code}`, async () => {
    const { exitCode, of } = await play(runner, name);
    assert.equal(
      of('error').map((event) => event.code),
      [code],
    );
    assert.is(exitCode, exit);
  });
}

test('retries are announced with their waiting time', async () => {
  const { of } = await play(runner, 'rate-limited');
  assert.equal(
    of('status').map((event) => [event.retry?.attempt, event.retry?.delay_ms, event.retry?.code]),
    [
      [1, 2000, 'rate-limited'],
      [2, 4000, 'rate-limited'],
      [3, 8000, 'rate-limited'],
    ],
  );
});

test('text of a broken stream is replaced by the message that repeats it', async () => {
  const { of } = await play(runner, 'drop');
  const again = of('assistant').filter((event) => event.replaces !== undefined);
  assert.is(again.map((event) => event.text).join(''), 'Hello from the scripted model.');
  assert.is(again[0]?.replaces, of('assistant')[0]?.message_id);
});

test('an answer that is cut off or filtered is a stop reason', async () => {
  assert.is((await play(runner, 'max-tokens')).of('result')[0]?.stop_reason, 'max_tokens');
  assert.is((await play(runner, 'refusal')).of('result')[0]?.stop_reason, 'refusal');
});

test('guidance is delivered, and open dialogs are dismissed before an abort', async () => {
  const { of } = await play(runner, 'steer');
  assert.equal(of('status')[0]?.steer, { id: 's1', delivered: true });
  const { sent } = await play(runner, 'cancel-question');
  const types = sent.map((message) => message['type']);
  assert.ok(types.indexOf('extension_ui_response') < types.indexOf('abort'));
});

test('servers of --mcp-config are told as ready or failed', async () => {
  const { of } = await play(runner, 'mcp-server');
  assert.equal(of('status').at(-1)?.mcp_servers, [
    { name: 'lab', status: 'ready' },
    { name: 'broken', status: 'failed' },
  ]);
  const start = of('tool_activity')[0];
  assert.equal(start?.phase === 'start' && start.input, {
    server: 'lab',
    tool: 'create_nodes',
    arguments: { count: 1 },
  });
});

test('a pi that does not load the extension is not used', () => {
  const talk = runner.converse(request(), machine());
  const actions = hearAll(talk, [
    { type: 'spawned' },
    ...lines({ id: 'turnout-state', type: 'response', success: true, data: { sessionId: 'x' } }),
  ]);
  const end = actions.find((action) => action.do === 'finish');
  assert.ok(end?.do === 'finish' && !end.outcome.ok && end.outcome.code === 'unsupported');
  const free = runner.converse(request({ access: 'full' }), machine());
  const told = hearAll(free, [
    { type: 'spawned' },
    ...lines({ id: 'turnout-state', type: 'response', success: true, data: { sessionId: 'x' } }),
  ]);
  assert.ok(told.some((action) => action.do === 'write' && action.line.includes('"prompt"')));
});

test('dialogs of other extensions are dismissed with a notice', () => {
  const talk = runner.converse(request({ access: 'full' }), machine());
  const asked = { type: 'extension_ui_request', id: 'u1', method: 'confirm', title: 'Sure?', message: 'x' };
  const actions = hearAll(talk, lines(asked));
  assert.is(
    actions[0]?.do === 'write' && actions[0].line,
    '{"type":"extension_ui_response","id":"u1","cancelled":true}',
  );
  assert.ok(actions[1]?.do === 'say' && actions[1].event.type === 'notice');
});

test('the extension knows the tools, the servers and the titles of the turn, and nothing else', () => {
  const source = extension(
    request({
      tools: [{ name: 'a', description: 'b', schema: { type: 'object' } }],
      mcpServers: [{ name: 'my-lab', type: 'http', url: 'http://x', headers: { h: 'v' } }],
    }),
    machine(),
  );
  const config = JSON.parse(/^const config = (.*);$/m.exec(source)?.[1] ?? '');
  assert.equal(config.tools, [{ name: 'a', description: 'b', schema: { type: 'object' } }]);
  assert.equal(config.servers, { 'my-lab': { url: 'http://x', headers: { h: 'v' }, exposure: 'direct' } });
  assert.equal(config.prefixes, ['mcp__my_lab__']);
  assert.ok(config.gated && config.titles.ask.includes('n0nce'));
  assert.is(toolPrefix('a.b'), 'mcp__a_b__');
});

test('modes, sandbox and settings choose the arguments', () => {
  assert.match(argv({ access: 'read' }), '"--tools" "read,grep,find,ls,bash"');
  assert.match(argv({ sandbox: 'read-only', access: 'full' }), '"--tools" "read,grep,find,ls"');
  assert.match(argv({}), '"--no-extensions"');
  assert.not.match(argv({ settings: ['user'] }), '--no-extensions');
  assert.match(argv({ settings: ['project'] }), '"--approve"');
  assert.match(argv({ resume: 'abc' }), '"--session" "abc"');
  assert.not.match(argv({ access: 'full' }), 'extension"');
  assert.is(argv({ access: 'full', sandbox: 'workspace-write' }), 'refused: unsupported');
  assert.is(argv({}, '0.73.1'), 'refused: unsupported');
});

test('several edits keep their list, and unknown servers are taken apart', () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'c', newText: 'd' },
  ];
  assert.equal(nativeTool('edit', { path: 'x', edits }, request()).input, { file_path: 'x', edits });
  assert.equal(nativeTool('mcp__other__do_it', {}, request()).input, { server: 'other', tool: 'do_it', arguments: {} });
});

test('errors of a provider are read from status and body', () => {
  assert.is(codeOfMessage('401: {}'), 'auth');
  assert.is(codeOfMessage('429: {"code":"insufficient_quota"}'), 'quota');
  assert.is(codeOfMessage('429: {"error":{"type":"rate_limit"}}'), 'rate-limited');
  assert.is(codeOfMessage('500: x'), null);
  assert.is(codeOfMessage('the answer is 401: yes'), null);
  assert.is(withoutKey('API key provided: sk-1. You'), 'API key provided: ***. You');
});

test('pictures go beside the prompt', () => {
  const images = [{ path: '/a.png', mediaType: 'image/png' as const, data: 'AAAA' }];
  const talk = runner.converse(request({ access: 'full', images }), machine());
  const state = { id: 'turnout-state', type: 'response', success: true, data: { sessionId: 'x' } };
  const actions = hearAll(talk, [{ type: 'spawned' }, ...lines(state)]);
  assert.match(JSON.stringify(actions.at(-1)), /images.*image.*AAAA.*image\/png/);
});

test.run();
