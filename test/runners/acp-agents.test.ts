import { test } from 'uvu';
import * as assert from 'uvu/assert';
import auggie from '../../runners/auggie.js';
import { customAgent } from '../../runners/dialects/acp/custom.js';
import goose from '../../runners/goose.js';
import kilo from '../../runners/kilo.js';
import nanocoder from '../../runners/nanocoder.js';
import { isRefusal, type Runner } from '../../src/runner/runner.js';
import { BRIDGE, OPTIONS, play } from './acp-play.js';
import { machine, request, saidText } from './drive.js';

function started(runner: Runner, wanted: Parameters<typeof request>[0] = {}) {
  const invocation = runner.invoke(request(wanted), machine());
  if (isRefusal(invocation)) throw new Error(invocation.message);
  return invocation;
}
const TOOL = { name: 'add', description: 'Adds.', schema: { type: 'object' } };

test('any command line becomes an agent whose refusals are not believed', () => {
  const runner = customAgent(['/opt/my agent', '--serve', 'a b']);
  assert.equal(started(runner).argv, ['/bin/agent', '--serve', 'a b']);
  assert.equal(Object.keys(runner.access), ['scoped', 'full']);
  assert.equal(runner.access.scoped?.gaps, ['read_outside', 'write', 'shell', 'network']);
  assert.equal(runner.bins, ['/opt/my agent']);
});

test('an unknown agent may name the caller’s tools in any way that was seen', () => {
  for (const title of [
    'add (turnout MCP Server)',
    'mcp__turnout__add',
    'mcp_turnout_add',
    'turnout___add',
    'turnout__add',
    'turnout_add',
    'turnout-add',
    'turnout.add',
    'turnout/add',
    'add_turnout',
  ]) {
    const one = play(customAgent(['x']).converse(request(), machine({ mcpBridge: BRIDGE })));
    one.open();
    one.update({ sessionUpdate: 'tool_call', toolCallId: 'c', title, kind: 'other', status: 'completed' });
    assert.not.ok(
      one.said().some((event) => event.type === 'tool_activity'),
      title,
    );
  }
});

test('kilo gets the same rules under names of its own', () => {
  const { env } = started(kilo);
  assert.ok(env['KILO_CONFIG_CONTENT']);
  assert.not.ok(Object.keys(env).some((name) => name.startsWith('OPENCODE')));
});

test('goose asks, unless everything is allowed', () => {
  assert.is(started(goose).env['GOOSE_MODE'], 'approve');
  assert.is(started(goose, { access: 'full' }).env['GOOSE_MODE'], 'auto');
});

test('auggie’s question about its index is refused, and what it says of that is not the model’s', () => {
  const one = play(auggie.converse(request(), machine()));
  one.open();
  one.ask(1, 'session/request_permission', {
    options: [
      { optionId: 'always-enable', name: 'Always', kind: 'allow_always' },
      { optionId: 'always-disable', name: 'Never', kind: 'reject_always' },
    ],
    toolCall: { toolCallId: 'workspace-indexing-permission' },
  });
  assert.equal(one.replied(1)?.['result'], { outcome: { outcome: 'selected', optionId: 'always-disable' } });
  one.update({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'Indexing disabled for this session.' },
  });
  assert.is(saidText(one.actions), '');
  one.refuse('session/prompt', -32000, 'Authentication required: HTTP error: 401 Unauthorized', { httpStatus: 401 });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'auth');
});

test('servers that an agent would ignore in silence are refused', () => {
  const server = { name: 'x', type: 'stdio' as const, command: 'c', args: [], env: {} };
  assert.ok(isRefusal(nanocoder.invoke(request({ mcpServers: [server] }), machine())));
  assert.not.ok(isRefusal(kilo.invoke(request({ mcpServers: [server] }), machine())));
});

test('a list of tasks that is kept through a tool is a plan', () => {
  const one = play(nanocoder.converse(request(), machine()));
  one.open({ modes: { currentModeId: 'normal', availableModes: [{ id: 'normal', name: 'Normal' }] } });
  const rawInput = {
    tasks: [
      { title: 'look', status: 'completed' },
      { title: 'do', status: 'pending' },
    ],
  };
  const call = { toolCallId: 'c', title: 'write_tasks', rawInput };
  one.update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
  one.update({ sessionUpdate: 'tool_call_update', ...call, status: 'completed' });
  assert.equal(
    one.said().find(({ type }) => type === 'plan'),
    {
      type: 'plan',
      entries: [
        { content: 'look', status: 'completed' },
        { content: 'do', status: 'pending' },
      ],
    },
  );
});

test('auggie is told how long to try again, and says why it gave up', () => {
  assert.ok(started(auggie).argv.includes('--retry-timeout'));
  const one = play(auggie.converse(request(), machine()));
  one.open();
  const details = 'Request failed after exceeding retry timeout of 30s: Rate limited';
  one.refuse('session/prompt', -32603, 'Internal error', { details });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'rate-limited');
});

test('nanocoder runs in the mode that asks, and its own words about errors are not the model’s', () => {
  const modes = { currentModeId: 'auto-accept', availableModes: [{ id: 'normal' }, { id: 'auto-accept' }] };
  const one = play(nanocoder.converse(request(), machine()));
  one.open({ modes });
  assert.equal(one.sent('session/set_mode')['params'], { sessionId: 's-1', modeId: 'normal' });
  one.answer('session/set_mode', {});
  one.ask(1, 'session/request_permission', {
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ],
    toolCall: {
      toolCallId: 'c1',
      title: 'execute_bash: touch x',
      kind: 'execute',
      rawInput: { command: 'touch x' },
      status: 'pending',
    },
  });
  const ask = one.actions.find((action) => action.do === 'ask');
  assert.ok(ask?.do === 'ask');
  assert.is(ask.question.name, 'execute_bash');
  const words = '\n\n**Error:** Rate limit exceeded: Too many requests. Please wait and try again\n';
  one.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
  assert.is(saidText(one.actions), '');
  one.refuse('session/prompt', -32603, 'Internal error', { details: 'Rate limit exceeded: Too many requests.' });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'rate-limited');
});

test('an agent that ignores servers gets the caller’s tools in its prompt', () => {
  const wanted = { toolsOn: true, tools: [TOOL] };
  assert.is(nanocoder.tools(request(wanted), machine()), 'prompt');
  const one = play(nanocoder.converse(request(wanted), machine()));
  one.open({ modes: { currentModeId: 'normal', availableModes: [{ id: 'normal' }] } });
  assert.match(JSON.stringify(one.sent('session/prompt')), 'tool_call:n0nce');
});

test('every option that means yes for once is found', () => {
  const one = play(customAgent(['x']).converse(request(), machine()));
  one.open();
  one.ask(1, 'session/request_permission', {
    options: OPTIONS,
    toolCall: { toolCallId: 'c', kind: 'read', title: 'a' },
  });
  const ask = one.actions.find((action) => action.do === 'ask');
  one.hear({ type: 'decision', key: ask?.do === 'ask' ? ask.key : '', choice: 'allow_session', message: '' });
  assert.equal(one.replied(1)?.['result'], { outcome: { outcome: 'selected', optionId: 'once' } });
});

test.run();
