/** Turns of Letta Code 0.32.18, from recordings, and how it is started. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { failure, lastWords } from '../../runners/letta/errors.js';
import runner from '../../runners/letta/index.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { machine, request } from './drive.js';
import { play } from './play.js';

const argv = (changes: Partial<TurnRequest> = {}) => {
  const answer = runner.invoke(request(changes), machine());
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.join(' ');
};

test('pieces that share an id are deltas, and the conversation is the session', async () => {
  const { events, of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.is(events[1]?.type === 'session' && /^local-conv-\d+$/.test(events[1].session_id), true);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Hello ', 'from ', 'the ', 'scripted ', 'model.'],
  );
  assert.is(new Set(of('assistant').map((one) => one.message_id)).size, 1);
  // 1000 that were not cached, and 200 that were.
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.cached_tokens]),
    [[1200, 200]],
  );
});

test('steps that are made and moved one by one are one plan', () => {
  const conversation = runner.converse(request(), machine());
  const line = (message: object) =>
    conversation.hear({ type: 'line', text: JSON.stringify({ type: 'message', ...message }) });
  const call = (id: string, name: string, input: object) => {
    const tool_call = { name, tool_call_id: id, arguments: JSON.stringify(input) };
    line({ message_type: 'tool_call_message', id: `m-${id}`, tool_call });
  };
  const back = (id: string, value: object) => {
    const tool_return = JSON.stringify(value);
    return line({ message_type: 'tool_return_message', tool_call_id: id, status: 'success', tool_return });
  };
  call('a', 'TaskCreate', { subject: 'look' });
  back('a', { taskId: 'task_1', subject: 'look', status: 'pending' });
  call('b', 'TaskUpdate', { taskId: 'task_1', status: 'completed' });
  const said = back('b', { taskId: 'task_1' });
  assert.match(JSON.stringify(said), '"entries":[{"content":"look","status":"completed"}]');
});

test('thinking is told apart', async () => {
  const { of } = await play(runner, 'think');
  assert.ok(of('thinking').length > 0);
});

test('a command that reads runs at the default mode, one that writes is denied, and the turn goes on', async () => {
  const ran = (await play(runner, 'shell')).of('tool_activity')[1];
  assert.is(ran?.phase === 'end' && ran.ok, true);
  const denied = await play(runner, 'shell-denied');
  const end = denied.of('tool_activity')[1];
  assert.equal(end?.phase === 'end' && [end.ok, end.denied], [false, true]);
  assert.is(denied.exitCode, 0);
});

test("a caller's tool takes a second process of the same conversation", async () => {
  const { of, exitCode } = await play(runner, 'tool');
  assert.is(exitCode, 0);
  assert.equal(
    of('tool_call').map((one) => one.args),
    [{ word: 'x' }],
  );
  assert.is(of('session').length, 1);
  assert.is(of('result')[0]?.text, 'Tool said: FOUND {"word":"x"}');
});

test('retries are announced and replace what was said; at the end its error counts, not its exit code', async () => {
  const dropped = await play(runner, 'dropped');
  assert.ok(dropped.of('status').filter((one) => one.retry).length >= 3);
  const said = dropped.of('assistant');
  const later = said.filter((one) => one.replaces !== undefined);
  assert.ok(later.length >= 3);
  assert.is(later[0]?.replaces, said[0]?.message_id);
  assert.is(dropped.of('error')[0]?.code, 'runner-error');
});

test('a refused key, a cut answer, an unknown conversation', async () => {
  assert.is((await play(runner, 'unauthorized')).of('error')[0]?.code, 'auth');
  assert.is((await play(runner, 'max-tokens')).of('result')[0]?.stop_reason, 'max_tokens');
  assert.is((await play(runner, 'unknown-session')).of('error')[0]?.code, 'session-not-found');
});

test('its errors carry a status and the words of the provider, or a sentence of its own', () => {
  const provider = (status: number, code: string, message: string) =>
    failure(`${status}: ${JSON.stringify({ message, type: code, code })}`);
  assert.equal(provider(401, 'invalid_api_key', 'invalid api key'), { code: 'auth', message: 'invalid api key' });
  assert.is(provider(429, 'rate_limit_exceeded', 'Rate limit reached for x').code, 'rate-limited');
  assert.is(provider(429, 'insufficient_quota', 'You exceeded your current quota').code, 'quota');
  const unknown = 'Unknown model "no/such" for provider "openai". Choose an available model with /model.';
  assert.is(failure(unknown).code, 'model-unavailable');
  assert.is(failure('Provider is not configured: openai').code, 'auth');
  assert.is(failure('terminated').code, 'runner-error');
  assert.is(lastWords(['Missing LETTA_API_KEY'])?.code, 'auth');
  assert.is(lastWords(['Conversation nope not found'])?.code, 'session-not-found');
  assert.is(lastWords(['anything else']), null);
});

test('each mode names all the tools there are', () => {
  assert.match(argv(), /--permission-mode standard --tools Bash,Read,/);
  assert.not.match(argv(), /\b(Write|Edit|memory)\b/);
  assert.not.match(argv({ sandbox: 'read-only' }), /Bash/);
  assert.match(argv({ access: 'full' }), /--permission-mode unrestricted -p$/);
  assert.match(argv({ resume: 'local-conv-2' }), /--conversation local-conv-2 /);
  assert.match(argv({ mcpServers: [{ name: 'x', type: 'stdio', command: 'x', args: [], env: {} }] }), /^refused/);
});

test('a session begins with the system prompt, and is not told it again', () => {
  const fed = (changes: Partial<TurnRequest>) =>
    runner
      .converse(request({ system: 'Be short.', ...changes }), machine())
      .hear({ type: 'spawned' })
      .flatMap((action) => (action.do === 'feed' ? [action.text] : []));
  assert.equal(fed({}), ['Be short.\n\n---\n\nhello']);
  assert.equal(fed({ resume: 'local-conv-2' }), ['hello']);
});

test('models are one JSON list, read when it is whole', () => {
  const text = '[\n {"id":"m","handle":"openai-compatible/m","label":"M"},\n {"id":"n"}\n]'.split('\n');
  assert.equal(runner.models?.read(text, true), [{ id: 'openai-compatible/m', label: 'M' }]);
  assert.is(runner.models?.read(text.slice(0, 2), false), null);
  assert.is(runner.models?.read(['Missing LETTA_API_KEY'], true), null);
});

test.run();
