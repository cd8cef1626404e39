import { test } from 'uvu';
import * as assert from 'uvu/assert';
import opencode from '../../runners/opencode.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { isObject, obj, parseObject } from '../../src/text/json.js';
import { BRIDGE, play } from './acp-play.js';
import { machine, request } from './drive.js';

function started(wanted: Partial<TurnRequest> = {}, here: Partial<Machine> = {}) {
  const invocation = opencode.invoke(request(wanted), machine(here));
  if (isRefusal(invocation)) throw new Error(invocation.message);
  const content = invocation.env['OPENCODE_CONFIG_CONTENT'];
  const text = typeof content === 'string' ? content : (invocation.files?.['config']?.text ?? '');
  return { ...invocation, content, config: parseObject(text) };
}
const permission = (config: JsonObject | undefined) => obj(config, 'agent', 'turnout', 'permission');
const turn = (wanted: Partial<TurnRequest> = {}, here: Partial<Machine> = {}) =>
  play(opencode.converse(request(wanted), machine(here)));
const OFFERED: JsonObject = {
  configOptions: [
    {
      id: 'model',
      category: 'model',
      type: 'select',
      currentValue: 'mock/mock-model',
      options: [{ value: 'mock/mock-model', name: 'Mock' }],
    },
    {
      id: 'mode',
      category: 'mode',
      type: 'select',
      currentValue: 'turnout',
      options: [
        { value: 'build', name: 'build' },
        { value: 'turnout', name: 'turnout' },
      ],
    },
  ],
};
const LOG = 'timestamp=2026-11-30T10:40:27.127Z level=INFO run=4747ba7c';
const stream = `${LOG} message=stream providerID=mock modelID=mock-model session.id=s-1 small=false agent=turnout mode=primary`;
const process = `${LOG} message=process session.id=s-1 messageID=msg_1`;
const broken = (words: string) =>
  `${LOG.replace('INFO', 'ERROR')} message="stream error" providerID=mock modelID=mock-model session.id=s-1 small=false agent=turnout mode=primary error.error="AI_APICallError: ${words}"`;

test('nothing of the turn is in an argument, and our rules come in a variable', () => {
  const { argv, env } = started({ prompt: 'secret words', model: 'm/x' });
  assert.equal(argv, ['/bin/agent', 'acp']);
  assert.is(env['OPENCODE_DISABLE_PROJECT_CONFIG'], '1');
  assert.is(env['OPENCODE_PURE'], '1');
  const wide = started({ settings: ['user', 'project'] }).env;
  assert.is(wide['OPENCODE_DISABLE_PROJECT_CONFIG'], undefined);
  assert.is(wide['OPENCODE_PURE'], undefined);
});

test('a mode is a list of permissions of our own agent; what a mode lacks is not offered', () => {
  const says = (wanted: Partial<TurnRequest>) => {
    const rules = permission(started(wanted).config) ?? {};
    return ['read', 'bash', 'edit', 'webfetch', 'external_directory', 'task'].map((name) => rules[name] ?? rules['*']);
  };
  assert.equal(says({}), ['allow', 'ask', 'deny', 'deny', 'deny', 'deny']);
  assert.equal(says({ approvals: 'stdio' }), ['allow', 'ask', 'ask', 'ask', 'ask', 'ask']);
  assert.equal(says({ access: 'read' }), ['allow', 'ask', 'deny', 'allow', 'allow', 'deny']);
  assert.equal(says({ access: 'read', approvals: 'stdio' }), ['allow', 'ask', 'ask', 'allow', 'allow', 'ask']);
  assert.equal(says({ access: 'edit' }), ['allow', 'ask', 'ask', 'allow', 'ask', 'deny']);
  assert.equal(says({ access: 'full' }), ['allow', 'allow', 'allow', 'allow', 'allow', 'allow']);
});

test('the general rule stands first: the last one that matches decides', () => {
  for (const access of ['scoped', 'read', 'edit', 'full'] as const) {
    assert.is(Object.keys(permission(started({ access }).config) ?? {})[0], '*');
  }
});

test('caller tools are allowed under the name they get there', () => {
  const server = { name: 'my.files', type: 'stdio', command: 'x', args: [], env: {} } as const;
  const rules = permission(started({ mcpServers: [{ ...server, args: [] }] }, { mcpBridge: BRIDGE }).config);
  assert.is(rules?.['turnout_*'], 'allow');
  assert.is(rules?.['my_files_*'], 'allow');
});

test('a refused call does not end the turn, and a caller tool may take its time', () => {
  const { config } = started({ toolTimeoutMs: 500_000 });
  assert.equal(obj(config, 'experimental'), { continue_loop_on_deny: true, mcp_timeout: 530_000 });
});

test('the system prompt is appended by the program; the JSON around its path stays whole', () => {
  const { content, files } = started({ system: 'Be "kind".' });
  assert.ok(isObject(content) || typeof content === 'object');
  if (typeof content !== 'object' || content === null) throw new Error('no file in the variable');
  const whole = parseObject(`${content.before}/tmp/x/system.md${content.after}`);
  assert.equal(whole?.['instructions'], ['/tmp/x/system.md']);
  assert.is(files?.['system']?.text, 'Be "kind".');
  const one = turn({ system: 'Be "kind".' });
  one.open(OFFERED);
  assert.not.match(JSON.stringify(one.sent('session/prompt')), 'kind');
});

test('where the variable is taken or a path would break it, nothing gets lost', () => {
  const taken = { envNames: new Set(['OPENCODE_CONFIG_CONTENT']) };
  const { env, config } = started({ system: 'Be kind.' }, taken);
  assert.is(env['OPENCODE_CONFIG_CONTENT'], undefined);
  assert.equal(env['OPENCODE_CONFIG'], { file: 'config' });
  assert.ok(permission(config));
  for (const here of [taken, { platform: 'win32' } as const]) {
    const one = turn({ system: 'Be kind.' }, here);
    one.open(OFFERED);
    assert.match(JSON.stringify(one.sent('session/prompt')), 'Be kind.');
  }
});

test('without our agent there are no rules, and no turn', () => {
  const one = turn();
  one.open({ configOptions: [] });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'runner-error');
});

test('tokens are those of the last model call, so only a turn of one call tells them', () => {
  const usage = { inputTokens: 1000, outputTokens: 24, totalTokens: 1234, thoughtTokens: 10, cachedReadTokens: 200 };
  const spent = (calls: number) => {
    const one = turn();
    one.open(OFFERED);
    for (let n = 0; n < calls; n++) one.hear({ type: 'stderr', text: process });
    one.update({ sessionUpdate: 'usage_update', used: 1200, size: 2, cost: { amount: 0.001, currency: 'USD' } });
    one.answer('session/prompt', { stopReason: 'end_turn', usage });
    return one.actions.flatMap((action) => (action.do === 'spend' ? [action.spent] : []));
  };
  assert.equal(spent(1), [{ input: 1200, output: 34, cached: 200, costUsd: 0.001 }]);
  assert.equal(spent(2), [{ input: null, output: null, costUsd: 0.001 }]);
});

test('its log tells of each try of a model call', () => {
  const one = turn();
  one.open(OFFERED);
  one.hear({ type: 'stderr', text: process });
  one.hear({ type: 'stderr', text: stream });
  assert.equal(one.actions.at(-1), { do: 'model', id: 'mock/mock-model' });
  one.hear({ type: 'stderr', text: stream.replace('small=false', 'small=true') });
  one.hear({ type: 'stderr', text: stream.replace('s-1', 's-2') });
  assert.not.ok(one.actions.some((action) => action.do === 'retrying'));
  one.hear({ type: 'stderr', text: broken('Rate limit reached for x.') });
  one.hear({ type: 'stderr', text: stream });
  one.hear({ type: 'stderr', text: stream });
  assert.equal(
    one.actions.filter((action) => action.do === 'retrying'),
    [1, 2].map((attempt) => ({
      do: 'retrying',
      attempt,
      max: null,
      delayMs: null,
      code: 'rate-limited',
      message: 'Rate limit reached for x.',
    })),
  );
});

test('a dropped stream is told again under a new id', () => {
  const one = turn();
  const say = (text: string) =>
    one.update({ sessionUpdate: 'agent_message_chunk', messageId: 'msg_1', content: { type: 'text', text } });
  one.open(OFFERED);
  one.hear({ type: 'stderr', text: process });
  one.hear({ type: 'stderr', text: stream });
  say('Hel');
  one.hear({ type: 'stderr', text: stream });
  say('Hello');
  const events = one.said().filter((event) => event.type === 'assistant');
  assert.equal(
    events.map((event) => (event.type === 'assistant' ? [event.text, event.message_id, event.replaces] : [])),
    [
      ['Hel', 'msg_1', undefined],
      ['Hello', 'msg_1#2', 'msg_1'],
    ],
  );
});

test('a used-up quota is not waited for', () => {
  const one = turn();
  one.open(OFFERED);
  one.hear({ type: 'stderr', text: process });
  one.hear({ type: 'stderr', text: stream });
  one.hear({ type: 'stderr', text: broken('You exceeded your current quota, please check your plan.') });
  assert.is(one.outcome(), undefined);
  one.hear({ type: 'stderr', text: stream });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'quota');
});

// Messages as 1.18.33 passes them on.
const failures: [string, string][] = [
  ['Incorrect API key provided: dummy. You can find your API key in your account settings.', 'auth'],
  ['invalid api key', 'auth'],
  ['Rate limit reached for mock-model on requests per min (RPM): Limit 3, Used 3, Requested 1.', 'rate-limited'],
  ['You exceeded your current quota, please check your plan and billing details.', 'quota'],
  ['The model `mock-model` does not exist or you do not have access to it.', 'model-unavailable'],
  ['The server had an error while processing your request. Sorry about that!', 'runner-error'],
  ['Country, region, or territory not supported', 'runner-error'],
];

test('the provider’s words decide what an error is', () => {
  for (const [words, code] of failures) {
    const one = turn();
    one.open(OFFERED);
    one.refuse('session/prompt', -32603, `Internal error: ${words}`, { service: 'session', errorName: 'APIError' });
    const outcome = one.outcome();
    assert.ok(outcome?.ok === false);
    assert.is(outcome.code, code, words);
    assert.match(outcome.message, words);
  }
});

test('an unknown session is not found', () => {
  const one = turn({ resume: 'ses_nope' });
  one.hear({ type: 'spawned' });
  one.answer('initialize', { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } });
  one.answer('session/list', { sessions: [] });
  one.refuse('session/resume', -32603, 'Internal error: OpenCode service failure', { service: 'session' });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'session-not-found');
});

test.run();
