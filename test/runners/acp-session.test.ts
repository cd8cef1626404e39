import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { usageOfTurn } from '../../runners/dialects/acp/index.js';
import { agent, BRIDGE } from './acp-play.js';
import { saidText } from './drive.js';

const text = (value: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: value } });

test('nothing of a replayed history is said, and money spent in it is not charged', () => {
  const one = agent({ sessionCost: true }, { resume: 's-1' });
  one.hear({ type: 'spawned' });
  one.answer('initialize', { protocolVersion: 1 });
  one.update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old question' } });
  one.update(text('old answer'));
  one.update({ sessionUpdate: 'tool_call', toolCallId: 'old', title: 'bash', kind: 'execute', status: 'completed' });
  one.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } });
  one.answer('session/load', {});
  one.update(text('new'));
  one.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.75, currency: 'USD' } });
  one.answer('session/prompt', { stopReason: 'end_turn' });
  assert.is(saidText(one.actions), 'new');
  assert.not.ok(one.said().some((event) => event.type === 'tool_activity'));
  assert.equal(
    one.actions.filter((action) => action.do === 'spend'),
    [{ do: 'spend', scope: 'turn', spent: { input: null, output: null, costUsd: 0.25 } }],
  );
});

test('the cost of a continued session whose beginning is unknown stays unknown', () => {
  const one = agent({ sessionCost: true }, { resume: 's-1' });
  one.hear({ type: 'spawned' });
  one.answer('initialize', { protocolVersion: 1 });
  one.answer('session/load', {});
  one.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.75, currency: 'USD' } });
  one.answer('session/prompt', { stopReason: 'end_turn' });
  assert.equal(
    one.actions.filter((action) => action.do === 'spend'),
    [],
  );
});

test('tokens and cost come in one report; cached tokens are part of the input', () => {
  const one = agent({ sessionCost: true, tokens: usageOfTurn });
  one.open();
  one.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.1, currency: 'USD' } });
  one.answer('session/prompt', {
    stopReason: 'end_turn',
    usage: { inputTokens: 1000, outputTokens: 24, thoughtTokens: 10, cachedReadTokens: 200, totalTokens: 1234 },
  });
  assert.equal(
    one.actions.filter((action) => action.do === 'spend'),
    [{ do: 'spend', scope: 'turn', spent: { input: 1200, output: 34, cached: 200, costUsd: 0.1 } }],
  );
});

test('a cost of 0 is the cost of a model without a price: unknown', () => {
  const one = agent({ sessionCost: true });
  one.open();
  one.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0, currency: 'USD' } });
  one.answer('session/prompt', { stopReason: 'end_turn' });
  assert.equal(
    one.actions.filter((action) => action.do === 'spend'),
    [],
  );
});

test('a history that comes after the answer to load is waited for', () => {
  const one = agent({ replayLags: true }, { resume: 's-1' });
  one.hear({ type: 'spawned' });
  one.answer('initialize', { protocolVersion: 1 });
  one.answer('session/load', { modes: { currentModeId: 'default', availableModes: [{ id: 'default' }] } });
  assert.is(one.count('session/prompt'), 0);
  one.update(text('old'));
  one.answer('session/set_mode', {});
  one.answer('session/set_mode', {});
  assert.is(one.count('session/prompt'), 0, 'one silent look may be chance');
  one.update(text('older'));
  one.answer('session/set_mode', {});
  one.answer('session/set_mode', {});
  one.answer('session/set_mode', {});
  assert.is(one.count('session/prompt'), 1);
  assert.is(saidText(one.actions), '');
});

test('a session that belongs to another directory is not continued', () => {
  const capabilities = { sessionCapabilities: { list: {} } };
  for (const [cwd, goesOn] of [
    ['/project', true],
    ['/elsewhere', false],
  ] as const) {
    const one = agent({ checksDirectory: true, continueBy: 'resume' }, { resume: 's-1' });
    one.hear({ type: 'spawned' });
    one.answer('initialize', { protocolVersion: 1, agentCapabilities: capabilities });
    one.answer('session/list', { sessions: [{ sessionId: 's-1', cwd }] });
    assert.is(one.count('session/resume'), goesOn ? 1 : 0);
    const outcome = one.outcome();
    if (!goesOn) assert.ok(outcome?.ok === false && outcome.code === 'session-not-found');
  }
});

test('errors have the code of where they came from', () => {
  const auth = agent();
  auth.hear({ type: 'spawned' });
  auth.answer('initialize', { protocolVersion: 1 });
  auth.refuse('session/new', -32000, 'Authentication required');
  const load = agent({}, { resume: 'gone' });
  load.hear({ type: 'spawned' });
  load.answer('initialize', { protocolVersion: 1 });
  load.refuse('session/load', -32603, 'Internal error', { details: 'no such session' });
  const prompt = agent();
  prompt.open();
  prompt.refuse('session/prompt', -32603, 'boom');
  const old = agent();
  old.hear({ type: 'spawned' });
  old.answer('initialize', { protocolVersion: 2 });
  for (const [one, code] of [
    [auth, 'auth'],
    [load, 'session-not-found'],
    [prompt, 'runner-error'],
    [old, 'runner-error'],
  ] as const) {
    const outcome = one.outcome();
    assert.ok(outcome?.ok === false && outcome.code === code, `${code}: ${JSON.stringify(outcome)}`);
  }
});

test('a login that needs nobody is tried before a turn fails for want of one', () => {
  const logins = [
    { method: 'by-key', variable: 'KEY' },
    { method: 'other', variable: 'OTHER' },
  ];
  const one = agent({ logins }, {}, { envNames: new Set(['KEY']) });
  one.hear({ type: 'spawned' });
  one.answer('initialize', { protocolVersion: 1 });
  one.refuse('session/new', -32000, 'Authentication required');
  assert.equal(one.sent('authenticate')['params'], { methodId: 'by-key' });
  one.answer('authenticate', {});
  one.answer('session/new', { sessionId: 's-1' });
  assert.is(one.count('session/prompt'), 1);
});

test('servers of the caller and our MCP bridge are given to the session; what the agent can’t take is told', () => {
  const one = agent(
    {},
    {
      mcpServers: [
        { name: 'files', type: 'stdio', command: 'files', args: ['-x'], env: { A: '1' } },
        { name: 'web', type: 'http', url: 'http://127.0.0.1/', headers: { H: 'v' } },
        { name: 'old', type: 'sse', url: 'http://127.0.0.1/', headers: {} },
      ],
    },
    { mcpBridge: BRIDGE },
  );
  one.open();
  assert.equal(one.sent('session/new')['params'], {
    cwd: '/project',
    mcpServers: [
      { name: 'turnout', command: 'node', args: ['bridge.js'], env: [{ name: 'SOCKET', value: '/tmp/s' }] },
      { name: 'files', command: 'files', args: ['-x'], env: [{ name: 'A', value: '1' }] },
      { type: 'http', name: 'web', url: 'http://127.0.0.1/', headers: [{ name: 'H', value: 'v' }] },
    ],
  });
  const notices = one.said().flatMap((event) => (event.type === 'notice' ? [event.message] : []));
  assert.equal(notices, ['Agent does not take the MCP server "old"']);
});

test('an exit code with a meaning ends the turn, another says nothing', () => {
  const exit = (code: number) => {
    const one = agent({ exits: { 41: 'auth' } });
    one.hear({ type: 'spawned' });
    one.hear({ type: 'exit', code, signal: null, files: {} });
    return one.outcome();
  };
  const known = exit(41);
  assert.ok(known?.ok === false && known.code === 'auth');
  assert.is(exit(1), undefined);
});

test('a line that is no message may decide the turn', () => {
  const plainLine = (line: string) =>
    line === 'Log in first' ? ({ ok: false, code: 'auth', message: 'not logged in' } as const) : undefined;
  const one = agent({ plainLine });
  one.hear({ type: 'spawned' });
  one.hear({ type: 'line', text: 'Log in first' });
  assert.equal(one.outcome(), { ok: false, code: 'auth', message: 'not logged in' });
  assert.equal(one.hear({ type: 'line', text: 'more' }), [{ do: 'unread', text: 'more' }]);
});

test.run();
test.run();
