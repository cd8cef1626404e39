/** Turns of Droid 0.225.2, from recordings, and what it is told. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf, refused, retrying } from '../../runners/droid/errors.js';
import runner from '../../runners/droid/index.js';
import { opening } from '../../runners/droid/session.js';
import { exitCode, nativeTool, planOf } from '../../runners/droid/tools.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { hearAll, lines, machine, request } from './drive.js';
import { play } from './play.js';

const words = (events: readonly { text: string }[]) => events.map((event) => event.text).join('');
const first = (changes: Partial<TurnRequest>) => opening(request(changes), machine());

test('a short answer comes in deltas after the session, its tokens at the end', async () => {
  const { events, exitCode: code, of, sent } = await play(runner, 'text');
  assert.is(code, 0);
  assert.is(words(of('assistant')), 'Hello from the scripted model.');
  assert.ok(of('assistant').length > 1);
  assert.is(events[1]?.type, 'session');
  assert.equal(
    of('usage').map((event) => [event.input_tokens, event.output_tokens, event.cached_tokens, event.cost_usd]),
    [[2400, 68, 400, null]],
  );
  assert.equal(
    sent.map((message) => [message['type'], message['id'], message['method']]),
    [
      ['request', '1', 'droid.initialize_session'],
      ['request', '2', 'droid.add_user_message'],
    ],
  );
});

test('thinking is told apart from the answer', async () => {
  const { of } = await play(runner, 'thinking');
  assert.is(words(of('thinking')), 'Let me think about this carefully.');
  assert.is(words(of('assistant')), 'Hello from the scripted model.');
});

test('a command that reads runs, with its exit code', async () => {
  const end = (await play(runner, 'shell')).of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.ok && end.exit_code === 0);
  const failed = (await play(runner, 'shell-fails')).of('tool_activity')[1];
  assert.ok(failed?.phase === 'end' && !failed.ok && failed.exit_code === 2 && !failed.denied);
});

test('a denied call ends the turn of Droid, so the model is told why and goes on', async () => {
  for (const [name, why] of [
    ['shell-denied', /Your tool call was not allowed: Denied: `touch`/],
    ['write-outside', /outside the working directory/],
  ] as const) {
    const { of, sent } = await play(runner, name);
    const end = of('tool_activity')[1];
    assert.ok(end?.phase === 'end' && !end.ok && end.denied, name);
    assert.match(JSON.stringify(sent.at(-1)), why);
    assert.match(JSON.stringify(sent), '"selectedOption":"cancel"');
    assert.is(of('result').length, 1);
    assert.is((of('result')[0] as { input_tokens?: number }).input_tokens, 3600);
  }
});

test('the host is asked where it wants to be', async () => {
  const { of, sent } = await play(runner, 'approved');
  const [question] = of('permission_request');
  assert.equal(
    [question?.kind, question?.input, question?.tool_use_id],
    ['shell', { command: 'touch made.txt', description: 's' }, of('tool_activity')[0]?.id],
  );
  assert.match(JSON.stringify(sent.at(-1)), '"selectedOption":"proceed_once"');
});

test('full access asks nobody, edits inside the folder run at the mode edit', async () => {
  for (const name of ['full', 'edit']) {
    const { of } = await play(runner, name);
    assert.is(of('permission_request').length, 0);
    const end = of('tool_activity')[1];
    assert.ok(end?.phase === 'end' && end.ok, name);
  }
});

test('a caller tool is called over MCP and is no activity', async () => {
  const { of, sent } = await play(runner, 'tool');
  assert.is(of('tool_activity').length, 0);
  assert.is(words(of('assistant')), 'Running the tool.Tool said: made 2');
  assert.match(JSON.stringify(sent.at(-1)), '"selectedOption":"proceed_once"');
});

test('a session is continued under its id with the settings of this turn', async () => {
  const { of, sent } = await play(runner, 'resume');
  assert.is(of('session')[0]?.session_id, of('start')[0]?.resume);
  assert.equal(
    sent.map((message) => message['method']),
    ['droid.load_session', 'droid.update_session_settings', 'droid.add_user_message'],
  );
});

for (const [name, code] of [
  ['resume-unknown', 'session-not-found'],
  ['auth', 'auth'],
  ['rate-limited', 'rate-limited'],
  ['no-model', 'model-unavailable'],
  ['unknown-model', 'model-unavailable'],
] as const) {
  test(`${name} ends as ${code}`, async () => {
    const { exitCode: exit, of } = await play(runner, name);
    assert.is(exit, 1);
    assert.equal(
      of('error').map((event) => event.code),
      [code],
    );
    assert.is(of('usage').length, 0);
  });
}

test('a stop interrupts the session', async () => {
  const { exitCode: exit, of, sent } = await play(runner, 'cancel');
  assert.is(exit, 130);
  assert.is(sent.at(-1)?.['method'], 'droid.interrupt_session');
  const end = of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.cancelled);
});

test('guidance is heard before the turn ends', async () => {
  const { of } = await play(runner, 'steer');
  assert.ok(of('status').some((event) => event.phase === 'notice' && event.steer?.delivered));
  assert.match(words(of('assistant')), 'Heard: hurry');
});

test('a list of steps is a plan', async () => {
  assert.equal((await play(runner, 'plan')).of('plan')[0]?.entries, [
    { content: 'Look', status: 'in_progress' },
    { content: 'Tell', status: 'pending' },
  ]);
  assert.equal(planOf({ todos: [{ content: 'Look', status: 'completed' }] }), [
    { content: 'Look', status: 'completed' },
  ]);
  assert.equal(planOf({ todos: 'nothing' }), []);
});

const opened = (changes: Partial<TurnRequest> = {}, result: object = {}) => {
  const talk = runner.converse(request(changes), machine());
  const begun = hearAll(talk, [
    { type: 'spawned' },
    ...lines({ type: 'response', id: '1', result: { sessionId: 's-1', ...result } }),
  ]);
  return { talk, begun };
};
const note = (notification: object, sessionId?: string) => ({
  type: 'notification',
  method: 'droid.session_notification',
  params: { notification, ...(sessionId === undefined ? {} : { sessionId }) },
});

test('an effort or a picture that the model does not take is told', () => {
  const availableModels = [{ id: 'm', supportedReasoningEfforts: ['none'], noImageSupport: true }];
  const effort = opened({ model: 'm', effort: 'high' }, { availableModels });
  assert.match(JSON.stringify(effort.begun), 'this model of Droid has no effort high');
  const images = [{ path: '/a.png', mediaType: 'image/png' as const, data: 'AAAA' }];
  const { begun } = opened({ model: 'm', images }, { availableModels });
  assert.match(JSON.stringify(begun.at(-1)), '"code":"unsupported"');
  assert.match(JSON.stringify(opened({ images }).begun.at(-1)), /images.*base64.*AAAA.*image\/png/);
});

test('a retracted message is replaced by the one that comes again', () => {
  const { talk } = opened();
  const actions = hearAll(
    talk,
    lines(
      { jsonrpc: '2.0', type: 'response', id: '2', result: {} },
      note({ type: 'assistant_text_delta', messageId: 'a', textDelta: 'Hel' }),
      note({ type: 'assistant_message_retracted', messageId: 'a' }),
      note({ type: 'assistant_text_delta', messageId: 'b', textDelta: 'Hello' }),
    ),
  );
  const said = actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event] : [],
  );
  assert.equal(
    said.map((event) => [event.text, event.replaces]),
    [
      ['Hel', undefined],
      ['Hello', 'a'],
    ],
  );
});

test("a subagent's session is not the turn's", () => {
  const { talk } = opened();
  const events = hearAll(
    talk,
    lines(
      note({ type: 'tool_call', toolUse: { id: 't', name: 'Task', input: {} } }),
      note({ type: 'child_session_available', childSessionId: 'c', toolUseId: 't', subagentType: 'worker' }),
      note({ type: 'assistant_text_delta', messageId: 'x', textDelta: 'inner' }, 'c'),
      note({ type: 'agent_turn_completed', reason: 'completed' }, 'c'),
      note({ type: 'droid_working_state_changed', newState: 'idle' }, 'c'),
      note({ type: 'tool_result', toolUseId: 't', content: 'done', isError: false }),
    ),
  );
  assert.equal(
    events.map((action) => (action.do === 'say' ? action.event.type : action.do)),
    ['subagent', 'tool_activity', 'subagent', 'tool_activity'],
  );
});

test('one answer for several calls: one refusal is enough, and the rest is not asked any more', () => {
  const { talk } = opened();
  const use = (id: string, name: string) => ({ toolUse: { id, name, input: { command: 'x' } } });
  const ask = { type: 'request', id: 'q', method: 'droid.request_permission' };
  const asked = hearAll(talk, lines({ ...ask, params: { toolUses: [use('a', 'Execute'), use('b', 'Execute')] } }));
  assert.equal(
    asked.map((action) => action.do),
    ['ask', 'ask'],
  );
  const decided = hearAll(talk, [{ type: 'decision', key: 'q:0', choice: 'deny', message: 'No.' }]);
  assert.equal(
    decided.map((action) => action.do),
    ['withdraw', 'write'],
  );
  assert.match(JSON.stringify(decided), 'cancel');
  const own = hearAll(talk, lines({ ...ask, params: { toolUses: [use('c', 'caller_agentbrowser___create_nodes')] } }));
  assert.match(JSON.stringify(own), 'proceed_once');
});

test('a question for the user is declined, an unknown request is refused', () => {
  const { talk } = opened();
  const heard = hearAll(
    talk,
    lines(
      { type: 'request', id: 'u', method: 'droid.ask_user', params: {} },
      { type: 'request', id: 'v', method: 'droid.other', params: {} },
      'no json',
    ),
  );
  assert.equal(
    heard.map((action) => action.do),
    ['say', 'write', 'write', 'unread'],
  );
  assert.match(JSON.stringify(heard), /\\"cancelled\\":true.*-32601/);
});

test('the first request has the servers, the system prompt and the settings', () => {
  const { method, params } = first({
    system: 'Be brief.',
    model: 'custom:x',
    effort: 'high',
    mcpServers: [
      { name: 'a', type: 'stdio', command: 'srv', args: [], env: { K: 'v' } },
      { name: 'b', type: 'http', url: 'http://127.0.0.1/', headers: { H: 'h' } },
    ],
  });
  assert.is(method, 'droid.initialize_session');
  assert.match(JSON.stringify(params), '"append":"Be brief."');
  assert.equal([params['modelId'], params['reasoningEffort'], params['autonomyLevel']], ['custom:x', 'high', 'off']);
  assert.match(
    JSON.stringify(params['mcpServers']),
    '{"name":"b","type":"http","url":"http://127.0.0.1/","headers":{"H":"h"}}',
  );
  assert.is(params['disableBuiltinSkills'], true);
  assert.is(first({ settings: ['user'] }).params['disableBuiltinSkills'], undefined);
  assert.is(first({ resume: 's-1' }).method, 'droid.load_session');
});

test('tools and failures in our words', () => {
  assert.equal(nativeTool('lab___make', { n: 1 }), {
    name: 'lab___make',
    kind: 'mcp',
    input: { server: 'lab', tool: 'make', arguments: { n: 1 } },
  });
  assert.is(exitCode('x\n[Process exited with code 7]'), 7);
  assert.is(exitCode('x'), undefined);
  assert.is(failureOf('completed', { message: 'x', name: undefined }, false), null);
  for (const [reason, code] of [
    ['model_usage_exhausted', 'quota'],
    ['cancelled', 'cancelled'],
    ['process_exit', 'runner-error'],
  ] as const) {
    const failed = failureOf(reason, null, false);
    assert.ok(failed && !failed.ok && failed.code === code, reason);
  }
  const moderated = { message: 'Request failed', name: 'LLMContentModerationError' };
  assert.equal(failureOf('model_request_rejected', moderated, true), { ok: true, stopReason: 'refusal' });
  assert.not.ok(failureOf('model_request_rejected', { ...moderated, name: 'Error' }, true)?.ok);
  const login = refused({ code: -1, message: 'Authentication failed. Please log in', data: undefined });
  assert.ok(!login.ok && login.code === 'auth');
  const retry = retrying({ type: 'llm_retry', reason: 'network', attempt: 2 });
  assert.ok(retry.do === 'retrying' && retry.code === null && retry.attempt === 2);
  assert.match(retry.do === 'retrying' ? (retry.why ?? '') : '', 'network');
});

test.run();
