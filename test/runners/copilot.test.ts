/** Turns of Copilot 1.0.102, from recordings, and its arguments and token counts. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { callFailure, sessionError, startFailure } from '../../runners/copilot/errors.js';
import runner from '../../runners/copilot/index.js';
import { readUsage } from '../../runners/copilot/usage.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request, saidText } from './drive.js';
import { play } from './play.js';

const invoke = (changes: Partial<TurnRequest>, env: readonly string[] = []) => {
  const answer = runner.invoke(request(changes), { ...machine(), envNames: new Set(env) });
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
};
const argv = (changes: Partial<TurnRequest>) =>
  invoke(changes)
    .argv.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    .join(' ');
const words = (events: readonly { text: string }[]) => events.map((event) => event.text).join('');

test('a short answer comes in deltas after the session, its tokens at the end', async () => {
  const { events, exitCode, of } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((event) => event.text),
    ['Hello ', 'from ', 'the ', 'scripted ', 'model.'],
  );
  assert.is(events[1]?.type, 'session');
  assert.equal(
    of('usage').map((event) => [event.input_tokens, event.output_tokens, event.cached_tokens, event.cost_usd]),
    [[1200, 34, 200, null]],
  );
  const { model_usage } = of('result')[0] as { model_usage?: unknown };
  assert.equal(model_usage, { 'mock-model': { input: 1000, output: 34, cache_read: 200, cache_creation: 0 } });
});

test('a sentence that stands in the place of a filtered answer is a refusal and no answer', () => {
  const banner = 'The model returned no content because the response was blocked by content filtering.';
  const exit = { type: 'exit', code: 0, signal: null, files: {} } as const;
  const message = (content: string) => ({ type: 'assistant.message', data: { messageId: 'm', content } });
  const delta = { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent: banner } };
  const end = (...native: object[]) => {
    const actions = hearAll(runner.converse(request(), machine()), [...lines(...native), exit]);
    const last = actions.at(-1);
    return [saidText(actions), last?.do === 'finish' && last.outcome.ok ? last.outcome.stopReason : 'failed'];
  };
  assert.equal(end(message(banner)), ['', 'refusal']);
  // In the model's own words it is an answer.
  assert.equal(end(delta, message(banner)), [banner, 'end_turn']);
  assert.equal(end(message(`${banner} Or so.`)), [`${banner} Or so.`, 'end_turn']);
  // Another answer came after all.
  assert.equal(end(message(banner), message('Hello')), ['Hello', 'end_turn']);
});

test('thinking is told apart from the answer', async () => {
  const { of } = await play(runner, 'thinking');
  assert.is(words(of('thinking')), 'Let me think about this carefully.');
  assert.is(words(of('assistant')), 'Hello from the scripted model.');
});

test('a command has its exit code, and a denied one says so', async () => {
  const ends = async (name: string) => (await play(runner, name)).of('tool_activity').filter((e) => e.phase === 'end');
  const [ran] = await ends('shell');
  assert.ok(ran?.phase === 'end' && ran.ok && ran.exit_code === 0);
  const [failed] = await ends('shell-fails');
  assert.ok(failed?.phase === 'end' && !failed.ok && failed.exit_code === 2 && !failed.denied);
  for (const name of ['shell-denied', 'write-outside']) {
    const [denied] = await ends(name);
    assert.ok(denied?.phase === 'end' && !denied.ok && denied.denied, name);
  }
  const [allowed] = await ends('full');
  assert.ok(allowed?.phase === 'end' && allowed.ok);
});

test('files are changed in canonical form', async () => {
  const [start] = (await play(runner, 'edit')).of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.kind, start.input], [
    'edit',
    { file_path: '/project/a.txt', old_string: 'one', new_string: 'two' },
  ]);
});

test('there is no shell at the mode read', async () => {
  const { of } = await play(runner, 'read');
  assert.is(words(of('assistant')), 'NO TOOL MATCHED');
  assert.is(of('tool_activity').length, 0);
});

test('a caller tool is no activity, a server of --mcp-config is one', async () => {
  const called = await play(runner, 'tool');
  assert.is(called.of('tool_activity').length, 0);
  assert.is(words(called.of('assistant')), 'Running the tool.Tool said: made 2');
  const { of } = await play(runner, 'mcp-server');
  const ready = of('status').find((event) => event.phase === 'ready');
  assert.equal(ready?.phase === 'ready' && ready.mcp_servers, [
    { name: 'broken', status: 'failed' },
    { name: 'lab', status: 'connected' },
  ]);
  const [start] = of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.kind, start.input], [
    'mcp',
    { server: 'lab', tool: 'create_nodes', arguments: { count: 1 } },
  ]);
});

test('a continued session counts its own turn only', async () => {
  const { of } = await play(runner, 'resume');
  assert.is(of('session')[0]?.session_id, of('start')[0]?.resume);
  assert.equal(
    of('usage').map((event) => event.input_tokens),
    [2400],
  );
});

for (const [name, code] of [
  ['resume-unknown', 'session-not-found'],
  ['auth', 'auth'],
  ['rate-limited', 'rate-limited'],
  ['quota', 'quota'],
  ['no-model', 'model-unavailable'],
  ['no-login', 'auth'],
] as const) {
  test(`${name} ends as ${code}`, async () => {
    const { exitCode, of } = await play(runner, name);
    assert.is(exitCode, 1);
    assert.equal(
      of('error').map((event) => event.code),
      [code],
    );
    assert.is(of('result').length, 0);
  });
}

test('each retry is told with its reason until there are too many, and no key is repeated', async () => {
  const { of } = await play(runner, 'rate-limited');
  const told = of('status').flatMap((event) => (event.phase === 'notice' && event.retry ? [event.retry] : []));
  assert.equal(
    told.map((retry) => [retry.attempt, retry.code]),
    [1, 2, 3, 4].map((attempt) => [attempt, 'rate-limited']),
  );
  assert.not.match(JSON.stringify((await play(runner, 'auth')).of('error')), 'sk-');
});

test('a message that broke off is replaced by the one that comes again', async () => {
  const { of } = await play(runner, 'drop');
  const said = of('assistant');
  const first = said[0]?.message_id;
  assert.ok(first);
  assert.ok(said.filter((event) => event.message_id !== first).every((event) => event.replaces === first));
  assert.is((of('result')[0] as { text?: string }).text, 'Hello from the scripted model.');
});

test('a subagent is told with what it said', async () => {
  const { of } = await play(runner, 'subagent');
  const [started, finished] = of('subagent');
  assert.ok(started?.phase === 'started' && started.subagent_type === 'explore');
  assert.ok(finished?.phase === 'finished' && finished.status === 'completed');
  assert.is(finished.id, started.id);
  const inner = of('assistant').filter((event) => event.parent_tool_use_id);
  assert.is(words(inner), 'Hello from the scripted model.');
});

test('a round limit ends the turn', async () => {
  const { exitCode, of } = await play(runner, 'max-turns');
  assert.is(exitCode, 1);
  assert.is((of('result')[0] as { stop_reason?: string }).stop_reason, 'max_turns');
});

test('the prompt goes to stdin with the system prompt before it, in a new session only', async () => {
  const { sent } = await play(runner, 'text');
  assert.equal(sent, []);
  const told = (changes: Partial<TurnRequest>) =>
    JSON.stringify(runner.converse(request({ prompt: 'Go', ...changes }), machine()).hear({ type: 'spawned' }));
  assert.match(told({ system: 'Be brief.' }), '"Be brief.\\n\\nGo"');
  assert.match(told({ system: 'Be brief.', resume: 'a-1' }), '"text":"Go"');
  assert.not.match(argv({ prompt: 'Go on, please' }), 'Go on');
});

test('modes become rules', () => {
  assert.not.match(argv({ access: 'scoped' }), '--allow');
  assert.match(
    argv({ access: 'read' }),
    /--available-tools=view,grep,glob,web_fetch --deny-tool=shell --deny-tool=write/,
  );
  assert.match(argv({ access: 'full' }), '--allow-all');
  assert.not.match(argv({ access: 'full', sandbox: 'read-only' }), '--allow-all ');
  assert.not.match(argv({ access: 'full', sandbox: 'restricted' }), '--allow-all');
});

test('edit is not offered: it asks nobody about files that steer git', () => {
  assert.is(runner.access.edit, undefined);
  assert.is(runner.sandbox['workspace-write'], undefined);
});

test('settings, model, effort and session are named', () => {
  assert.match(argv({}), '--no-custom-instructions --disable-builtin-mcps');
  assert.not.match(argv({ settings: ['user'] }), '--no-custom-instructions');
  assert.not.match(argv({ settings: ['user'] }), '--trust-folder');
  assert.match(argv({ settings: ['project'] }), '--trust-folder');
  assert.match(argv({ model: 'gpt-5', effort: 'off' }), '--model gpt-5 --reasoning-effort none');
  assert.match(argv({ resume: 'a-1' }), '--resume=a-1');
  const images = [{ path: '/a.png', mediaType: 'image/png' as const, data: '' }];
  assert.match(argv({ images }), '--attachment /a.png');
  assert.is(invoke({}).env?.['COPILOT_ALLOW_ALL'], null);
});

test('servers go into a private file, never into an argument', () => {
  const changes = {
    mcpServers: [
      { name: 'a', type: 'stdio' as const, command: 'srv', args: ['x'], env: { KEY: 'secret' } },
      { name: 'b', type: 'http' as const, url: 'http://127.0.0.1/', headers: { Authorization: 'secret' } },
    ],
  };
  const { files } = invoke(changes);
  const { mcpServers } = JSON.parse(files?.['mcp']?.text ?? '');
  assert.equal(mcpServers.a.env.KEY, 'secret');
  assert.equal(mcpServers.b, {
    type: 'http',
    url: 'http://127.0.0.1/',
    headers: { Authorization: 'secret' },
    tools: ['*'],
  });
  assert.match(argv(changes), '--allow-tool=a --allow-tool=b');
  assert.not.match(argv(changes), 'secret');
});

test("the session's log is read where it is known to be", () => {
  assert.match(JSON.stringify(invoke({ resume: 'a-1' }).collect), '/.copilot/session-state/a-1/events.jsonl');
  assert.equal(Object.keys(invoke({ resume: '../../x' }).collect ?? {}), ['usage']);
  assert.equal(Object.keys(invoke({}, ['COPILOT_HOME']).collect ?? {}), ['usage']);
});

test('without the log a continued session has no count, as the total is of all turns', () => {
  const total = JSON.stringify({ modelMetrics: { m: { usage: { inputTokens: 10, outputTokens: 1 } } } });
  const [own] = readUsage(null, total, false).actions;
  assert.ok(own?.do === 'spend' && own.scope === 'process' && own.spent.input === 10);
  const [all] = readUsage('', total, true).actions;
  assert.ok(all?.do === 'spend' && all.scope === 'session');
  assert.equal(readUsage('not json\n', '', false), { actions: [], models: {} });
  const call = (model: string) =>
    JSON.stringify({
      type: 'session.usage_record',
      data: { usage: { model, inputTokens: 10, outputTokens: 1, cacheReadTokens: 4 } },
    });
  const log = [call('old'), '{"type":"session.resume"}', call('a'), call('b'), call('a')].join('\n');
  const { models } = readUsage(log, total, true);
  assert.equal(models, {
    a: { input: 12, output: 2, cache_read: 8, cache_creation: 0 },
    b: { input: 6, output: 1, cache_read: 4, cache_creation: 0 },
  });
});

test('failures have codes', () => {
  assert.is(callFailure({ statusCode: 429, errorMessage: '{"code":"insufficient_quota"}' }), 'quota');
  assert.is(callFailure({ statusCode: 404, errorMessage: 'gone' }), 'model-unavailable');
  assert.is(callFailure({}), null);
  const failed = sessionError({ errorType: 'query', message: 'Boom' });
  assert.ok(!failed.ok && failed.code === 'runner-error');
  assert.is(startFailure('Something else'), null);
});

test('what is no event is kept apart, and an exit without a word is no success', () => {
  const talk = runner.converse(request(), machine());
  const actions = hearAll(talk, lines('not json', { no: 'type' }));
  assert.equal(
    actions.filter((action) => action.do === 'unread').map((action) => action.do),
    ['unread', 'unread'],
  );
  assert.equal(hearAll(talk, [{ type: 'exit', code: 1, signal: null, files: {} }]), []);
});

test.run();
