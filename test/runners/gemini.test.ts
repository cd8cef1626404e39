import { test } from 'uvu';
import * as assert from 'uvu/assert';
import gemini from '../../runners/gemini/index.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { BRIDGE, OPTIONS, play } from './acp-play.js';
import { machine, request, saidText } from './drive.js';

function started(wanted: Partial<TurnRequest> = {}, here: Partial<Machine> = {}) {
  const invocation = gemini.invoke(request(wanted), machine(here));
  if (isRefusal(invocation)) throw new Error(invocation.message);
  const policy = invocation.files?.['policy']?.text ?? '';
  return { ...invocation, words: invocation.argv.filter((arg) => typeof arg === 'string'), policy };
}
const turn = (wanted: Partial<TurnRequest> = {}, here: Partial<Machine> = {}) =>
  play(gemini.converse(request(wanted), machine(here)));

/** What the rules say about a tool, as the program reads them: the highest priority that names it. */
function verdict(policy: string, tool: string): string | undefined {
  const rules = policy
    .split('[[rule]]')
    .slice(1)
    .map((text) => ({
      names: [JSON.parse(/toolName = (.*)/.exec(text)?.[1] ?? '""')].flat(),
      decision: /decision = "(\w+)"/.exec(text)?.[1],
      priority: Number(/priority = (\d+)/.exec(text)?.[1]),
      narrow: /^(argsPattern|mcpName)/m.test(text),
    }))
    .sort((a, b) => b.priority - a.priority);
  return rules.find(({ names, narrow }) => !narrow && (names.includes(tool) || names.includes('*')))?.decision;
}

test('the prompt is never an argument, and no second process is made', () => {
  const { words, env } = started({ prompt: 'secret words', model: 'gemini-x', system: 'sys' });
  assert.equal(words.slice(0, 2), ['/bin/agent', '--acp']);
  assert.ok(words.includes('--model') && words.includes('gemini-x'));
  assert.not.match(JSON.stringify(words), /secret|sys/);
  assert.is(env['GEMINI_CLI_NO_RELAUNCH'], 'true');
});

test('the folder is trusted only where something needs it', () => {
  const trusts = (wanted: Partial<TurnRequest>, here: Partial<Machine> = {}) =>
    started(wanted, here).words.includes('--skip-trust');
  assert.not.ok(trusts({}));
  assert.not.ok(trusts({ settings: ['user'] }));
  assert.ok(trusts({ settings: ['project'] }));
  assert.ok(trusts({ access: 'full' }));
  assert.ok(trusts({}, { mcpBridge: BRIDGE }));
});

test('extensions and servers of the user stay out, those of the turn do not', () => {
  const server = { name: 'files', type: 'stdio', command: 'x', args: [], env: {} } as const;
  const { words } = started({ mcpServers: [{ ...server, args: [] }] }, { mcpBridge: BRIDGE });
  assert.ok(words.includes('--extensions=none'));
  assert.ok(words.includes('--allowed-mcp-server-names=turnout'));
  assert.ok(words.includes('--allowed-mcp-server-names=files'));
  assert.ok(started().words.includes('--allowed-mcp-server-names=turnout'));
  assert.not.match(JSON.stringify(started({ settings: ['user'] }).words), 'allowed-mcp-server-names');
});

test('each mode is a set of rules, in both tiers', () => {
  const tools = ['read_file', 'run_shell_command', 'write_file', 'web_fetch', 'invoke_agent', 'unheard_of'];
  const rules = (wanted: Partial<TurnRequest>) => tools.map((tool) => verdict(started(wanted).policy, tool));
  assert.equal(rules({}), ['allow', 'ask_user', 'deny', 'deny', 'deny', 'ask_user']);
  assert.equal(rules({ approvals: 'stdio' }), ['allow', 'ask_user', 'ask_user', 'ask_user', 'deny', 'ask_user']);
  assert.equal(rules({ access: 'read' }), ['allow', 'ask_user', 'deny', 'allow', 'deny', 'ask_user']);
  assert.equal(rules({ access: 'edit' }), ['allow', 'deny', 'ask_user', 'allow', 'deny', 'ask_user']);
  assert.is(rules({ access: 'read', approvals: 'stdio' })[2], 'ask_user');
  // Whoever is asked never sees the commands that it runs unasked.
  assert.is(rules({ access: 'edit', approvals: 'stdio' })[1], 'deny');
  assert.is(rules({ access: 'edit', allowBashPrefix: ['npm test'] })[1], 'ask_user');
  const { argv } = started();
  assert.is(argv.filter((arg) => typeof arg === 'object' && arg.file === 'policy').length, 2);
  const full = started({ access: 'full' });
  assert.is(full.policy, '');
  assert.ok(full.words.includes('yolo'));
});

test('every rule names a tool: one that does not would void the whole file', () => {
  for (const access of ['scoped', 'read', 'edit'] as const) {
    const { policy } = started({ access }, { mcpBridge: BRIDGE });
    const rules = policy.split('[[rule]]').slice(1);
    assert.ok(rules.length > 3);
    for (const rule of rules) assert.match(rule, /^\ntoolName = ["[]/);
    assert.match(policy, 'mcpName = "turnout"');
  }
});

test('its own scratch folder is not written through us', () => {
  const { policy } = started({ access: 'edit' });
  const pattern = JSON.parse(/argsPattern = (".*")/.exec(policy)?.[1] ?? '""');
  assert.ok(new RegExp(pattern).test('{"file_path":"/home/user/.gemini/tmp/project/x"}'));
  assert.not.ok(new RegExp(pattern).test('{"file_path":"/project/gemini/tmp.txt"}'));
});

test('input tokens are a sum with the cached ones; output without thoughts is unknown', () => {
  const one = turn();
  one.open();
  one.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hi' } });
  one.answer('session/prompt', {
    stopReason: 'end_turn',
    _meta: {
      quota: {
        token_count: { input_tokens: 2400, output_tokens: 48 },
        model_usage: [{ model: 'gemini-2.5-flash', token_count: { input_tokens: 2400, output_tokens: 48 } }],
      },
    },
  });
  assert.equal(
    one.actions.filter((action) => action.do === 'spend' || action.do === 'model'),
    [
      { do: 'model', id: 'gemini-2.5-flash' },
      { do: 'spend', scope: 'turn', spent: { input: 2400, output: null, costUsd: null } },
    ],
  );
});

test('a question comes before its call and holds the bare command', () => {
  const one = turn();
  one.open();
  one.ask(0, 'session/request_permission', {
    options: [
      { optionId: 'proceed_always', name: 'Allow for this session', kind: 'allow_always' },
      { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
    ],
    toolCall: {
      toolCallId: 'run_shell_command__call_000327',
      status: 'pending',
      title: 'touch denied.txt',
      content: [{ type: 'content', content: { type: 'text', text: '[current working directory /project]' } }],
      locations: [],
      kind: 'execute',
    },
  });
  const ask = one.actions.find((action) => action.do === 'ask');
  assert.ok(ask?.do === 'ask');
  assert.equal(ask.question, {
    toolUseId: 'run_shell_command__call_000327',
    name: 'run_shell_command',
    kind: 'shell',
    input: { command: 'touch denied.txt' },
  });
  one.hear({ type: 'decision', key: ask.key, choice: 'deny', message: 'no' });
  assert.equal(one.replied(0)?.['result'], { outcome: { outcome: 'selected', optionId: 'cancel' } });
  const end = one.said().at(-1);
  assert.ok(end?.type === 'tool_activity' && end.phase === 'end' && end.denied);
});

test('a caller tool is known by its title or its id', () => {
  const one = turn({}, { mcpBridge: BRIDGE });
  one.open();
  const toolCall = { toolCallId: 'mcp_turnout_add__call_1', title: 'add (turnout MCP Server)', kind: 'other' };
  one.ask(0, 'session/request_permission', {
    options: [...OPTIONS, { optionId: 'proceed_always_tool', name: 'Allow tool', kind: 'allow_always' }],
    toolCall,
  });
  assert.equal(one.replied(0)?.['result'], { outcome: { outcome: 'selected', optionId: 'proceed_always_tool' } });
  one.update({ sessionUpdate: 'tool_call_update', ...toolCall, status: 'completed', content: [] });
  one.update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'mcp_turnout_add__call_2',
    status: 'failed',
    content: [],
    kind: 'other',
  });
  assert.not.ok(one.said().some((event) => event.type === 'tool_activity'));
});

test('a session is continued by an id that does not open the same log again', () => {
  const one = turn({ resume: 'abc' });
  one.hear({ type: 'spawned' });
  one.answer('initialize', { protocolVersion: 1 });
  assert.is((one.sent('session/load')['params'] as { sessionId: string }).sessionId, ' abc');
  one.answer('session/load', { modes: { currentModeId: 'default', availableModes: [{ id: 'default' }] } });
  one.update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old' } }, ' abc');
  for (let look = 0; look < 3; look++) one.answer('session/set_mode', {});
  assert.equal(one.sent('session/prompt')['params'], { sessionId: ' abc', prompt: [{ type: 'text', text: 'hello' }] });
  one.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'new' } }, ' abc');
  assert.is(saidText(one.actions), 'new');
  assert.equal(one.said()[0], { type: 'session', session_id: 'abc' });
});

// Messages as 0.61.0 gives them.
const failures: [number, string, string][] = [
  [401, '{"error":{"code":401,"message":"invalid api key","status":"UNAUTHENTICATED"}}', 'auth'],
  [403, '{"error":{"code":403,"message":"Permission denied on this resource.","status":"PERMISSION_DENIED"}}', 'auth'],
  [
    400,
    '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}',
    'auth',
  ],
  [429, 'Rate limit exceeded. Try again later.', 'rate-limited'],
  [429, 'You have exhausted your daily quota on this model.', 'quota'],
  [
    500,
    'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
    'model-unavailable',
  ],
  [500, '{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}', 'runner-error'],
  [500, 'terminated', 'runner-error'],
  [-32000, 'Gemini API key is missing or not configured.', 'auth'],
];

test('the HTTP status and the server’s words decide what an error is', () => {
  for (const [code, message, ours] of failures) {
    const one = turn();
    one.open();
    one.refuse('session/prompt', code, message);
    const outcome = one.outcome();
    assert.ok(outcome?.ok === false);
    assert.is(outcome.code, ours, message);
    assert.not.match(outcome.message, /\{"error"/);
  }
});

test('a suggested wait is passed on', () => {
  const one = turn();
  one.open();
  one.refuse('session/prompt', 429, 'Resource has been exhausted (e.g. check quota).\nSuggested retry after 7s.');
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'rate-limited' && outcome.retryAfterMs === 7000);
});

test('a session of another project or none is not found', () => {
  for (const details of [
    'No previous sessions found for this project.',
    'Invalid session identifier "x".\n  Searched for sessions in /home/user.',
  ]) {
    const one = turn({ resume: 'x' });
    one.hear({ type: 'spawned' });
    one.answer('initialize', { protocolVersion: 1 });
    one.refuse('session/load', -32603, 'Internal error', { details });
    const outcome = one.outcome();
    assert.ok(outcome?.ok === false && outcome.code === 'session-not-found');
  }
});

test('a login that asks for a code is a missing login', () => {
  const one = turn();
  one.hear({ type: 'spawned' });
  one.hear({
    type: 'line',
    text: '\u001b[?1049h\u001b[2J\u001b[HPlease visit the following URL to authorize the application:',
  });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'auth');
});

test.run();
