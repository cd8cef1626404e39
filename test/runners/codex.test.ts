/** Turns of codex 0.171.0, from recordings. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/codex/index.js';
import { play } from './play.js';

const methods = (sent: { method?: unknown }[]) => sent.flatMap((message) => message.method ?? []);

test('a short answer comes in deltas, with the session first and one usage', async () => {
  const { events, exitCode, of, sent } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((event) => event.text),
    ['Hello ', 'from ', 'the ', 'scripted ', 'model.'],
  );
  assert.is(new Set(of('assistant').map((event) => event.message_id)).size, 1);
  assert.is(events[1]?.type, 'session');
  assert.equal(
    of('usage').map((event) => [event.input_tokens, event.output_tokens, event.cached_tokens, event.cost_usd]),
    [[1200, 34, 200, null]],
  );
  assert.is(of('status').length, 0);
  assert.equal(methods(sent), [
    'initialize',
    'initialized',
    'account/read',
    'config/read',
    'thread/start',
    'turn/start',
  ]);
});

test('thinking is told apart, and effort, model and system prompt are handed on', async () => {
  const { of, sent } = await play(runner, 'thinking');
  assert.is(
    of('thinking')
      .map((event) => event.text)
      .join(''),
    'Let me think about this carefully.',
  );
  const thread = sent.find((message) => message['method'] === 'thread/start');
  const turn = sent.find((message) => message['method'] === 'turn/start');
  assert.match(JSON.stringify(thread), '"developerInstructions":"Answer in verse."');
  assert.match(JSON.stringify(thread), '"model":"mock-model"');
  assert.match(JSON.stringify(turn), '"effort":"high"');
  assert.is(of('result')[0]?.effort, 'high');
});

test('a command is shown as the model wrote it, with its output and exit code', async () => {
  const ran = await play(runner, 'shell');
  const [start, end] = ran.of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.kind, start.name, start.input?.['command']], [
    'shell',
    'exec_command',
    'git log --oneline',
  ]);
  assert.ok(end?.phase === 'end' && end.ok && end.exit_code === 0 && end.output.includes('first'));
  const failed = await play(runner, 'shell-fails');
  const last = failed.of('tool_activity')[1];
  assert.equal(last?.phase === 'end' && [last.ok, last.exit_code, last.output], [false, 3, 'out\n']);
});

test('a command that the sandbox blocks gives no activity, and the turn goes on', async () => {
  const { exitCode, of } = await play(runner, 'shell-blocked');
  assert.is(exitCode, 0);
  assert.is(of('tool_activity').length, 0);
});

test('a command that outlives the turn is closed as cancelled', async () => {
  const { of } = await play(runner, 'shell-left');
  const end = of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.cancelled && !end.ok);
});

test('an escalation is asked, and the answer is handed on', async () => {
  const approved = await play(runner, 'approved');
  const [question] = approved.of('permission_request');
  assert.equal([question?.kind, question?.input?.['command']], ['shell', 'touch made.txt']);
  assert.is(question?.tool_use_id, approved.of('tool_activity')[0]?.id);
  assert.ok(approved.sent.some((message) => JSON.stringify(message['result']) === '{"decision":"accept"}'));
  const denied = await play(runner, 'denied');
  assert.ok(denied.sent.some((message) => JSON.stringify(message['result']) === '{"decision":"decline"}'));
  const end = denied.of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.denied && !end.ok);
  assert.is(denied.exitCode, 0);
});

test('without approvals an escalation is declined by us and shown as denied', async () => {
  const { of, sent } = await play(runner, 'declined');
  assert.is(of('permission_request').length, 0);
  assert.ok(sent.some((message) => JSON.stringify(message['result']) === '{"decision":"decline"}'));
  const end = of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.denied);
});

test('an allowed prefix lets its command leave the sandbox', async () => {
  const { of, sent } = await play(runner, 'prefix');
  assert.is(of('permission_request').length, 0);
  assert.ok(sent.some((message) => JSON.stringify(message['result']) === '{"decision":"accept"}'));
  assert.ok(of('tool_activity')[1]?.phase === 'end');
});

test('changed files are a patch with paths and actions', async () => {
  const { of } = await play(runner, 'patch');
  const start = of('tool_activity')[0];
  assert.equal(start?.phase === 'start' && [start.kind, start.input], [
    'patch',
    { files: [{ file_path: '/project/a.txt', action: 'add', diff: 'hi\n' }] },
  ]);
  const denied = await play(runner, 'patch-denied');
  assert.is(denied.of('permission_request')[0]?.kind, 'patch');
  const end = denied.of('tool_activity')[1];
  assert.ok(end?.phase === 'end' && end.denied);
});

test('caller tools are called without an activity, and their answers go back', async () => {
  const { of, sent } = await play(runner, 'tool');
  assert.equal(
    of('tool_call').map((event) => [event.name, event.args]),
    [['create_nodes', { count: 2 }]],
  );
  assert.is(of('tool_activity').length, 0);
  assert.ok(
    sent.some(
      (message) =>
        JSON.stringify(message['result']) === '{"contentItems":[{"type":"inputText","text":"made 2"}],"success":true}',
    ),
  );
  const parallel = await play(runner, 'tools-parallel');
  assert.equal(
    parallel.of('tool_call').map((event) => event.name),
    ['create_nodes', 'count_nodes'],
  );
  const failed = await play(runner, 'tool-fails');
  assert.ok(failed.sent.some((message) => JSON.stringify(message['result'])?.includes('"success":false')));
});

test('a resumed thread keeps its tools: our server is there, but offers nothing', async () => {
  const { of, sent } = await play(runner, 'tool-resume');
  const thread = JSON.stringify(sent.find((message) => message['method'] === 'thread/resume'));
  assert.match(thread, '"enabled_tools":[]');
  assert.not.match(thread, 'dynamicTools');
  assert.not.ok(methods(sent).includes('thread/inject_items'));
  assert.is(of('tool_call')[0]?.name, 'create_nodes');
  // The report of the turn before is repeated under its own turn id.
  assert.is(of('done')[0]?.totals?.input_tokens, 2400);
});

test('other tools and another system prompt after a resume come over MCP and as a late message', async () => {
  const { of, sent } = await play(runner, 'tool-resume-other');
  const thread = JSON.stringify(sent.find((message) => message['method'] === 'thread/resume'));
  assert.match(thread, '"caller_tools"');
  assert.not.match(thread, 'enabled_tools');
  const inject = sent.find((message) => message['method'] === 'thread/inject_items');
  assert.match(JSON.stringify(inject), 'Be long.');
  assert.is(of('tool_call')[0]?.name, 'delete_nodes');
  assert.is(of('tool_activity').length, 0);
});

for (const [name, code, exit] of [
  ['resume-unknown', 'session-not-found', 1],
  ['auth', 'auth', 1],
  ['rate-limited', 'rate-limited', 1],
  ['quota', 'quota', 1],
  ['no-model', 'model-unavailable', 1],
  ['overloaded', 'runner-error', 1],
  ['no-login', 'auth', 1],
  ['no-key', 'auth', 1],
  ['cancel', 'cancelled', 130],
] as const) {
  test(`${name} ends with ${code}`, async () => {
    const { exitCode, of } = await play(runner, name);
    assert.equal(
      of('error').map((event) => event.code),
      [code],
    );
    assert.is(exitCode, exit);
    assert.not.match(of('error')[0]?.message ?? '', 'provided: dummy');
  });
}

test('the fourth announced retry ends a rate limit, the first one a refused key', async () => {
  const limited = await play(runner, 'rate-limited');
  assert.equal(
    limited.of('status').map((event) => [event.retry?.attempt, event.retry?.max, event.retry?.code]),
    [1, 2, 3, 4].map((attempt) => [attempt, 5, 'rate-limited']),
  );
  const refused = await play(runner, 'auth');
  assert.is(refused.of('status').filter((event) => event.retry).length, 1);
});

test('nothing is opened when nobody is logged in', async () => {
  const { sent } = await play(runner, 'no-login');
  assert.not.ok(methods(sent).includes('thread/start'));
});

test('CODEX_API_KEY stands in for a login', async () => {
  const { exitCode, sent } = await play(runner, 'api-key');
  assert.is(exitCode, 0);
  const thread = JSON.stringify(sent.find((message) => message['method'] === 'thread/start'));
  assert.match(thread, '"env_key":"CODEX_API_KEY"');
  assert.match(thread, '"modelProvider":"openai-api-key"');
});

test('text of a broken stream is replaced by the message that repeats it', async () => {
  const { of } = await play(runner, 'drop');
  const ids = [...new Set(of('assistant').map((event) => event.message_id))];
  assert.is(ids.length, 2);
  const [broken, whole] = ids;
  const again = of('assistant').filter((event) => event.message_id === whole);
  assert.ok(again.every((event) => event.replaces === broken));
  assert.is(again.map((event) => event.text).join(''), 'Hello from the scripted model.');
});

test('an answer that is cut off or filtered is a stop reason, and its zeros are no usage', async () => {
  const cut = await play(runner, 'max-tokens');
  assert.equal([cut.exitCode, cut.of('result')[0]?.stop_reason], [0, 'max_tokens']);
  assert.is(cut.of('usage').length, 0);
  const filtered = await play(runner, 'refusal');
  assert.equal([filtered.exitCode, filtered.of('result')[0]?.stop_reason], [0, 'refusal']);
});

test('falling back from WebSockets is told twice and does not end the turn', async () => {
  const { exitCode, of } = await play(runner, 'websockets');
  assert.is(exitCode, 0);
  assert.is(of('status').length, 2);
  assert.ok(of('status').every((event) => event.retry === undefined));
});

test('guidance is delivered to the running turn', async () => {
  const { of, sent } = await play(runner, 'steer');
  assert.equal(of('status')[0]?.steer, { id: 's1', delivered: true });
  const steer = sent.find((message) => message['method'] === 'turn/steer');
  assert.match(JSON.stringify(steer), /"text":"hurry".*"expectedTurnId":"[0-9a-f-]{36}"/);
});

test('a cancel interrupts the turn by its id', async () => {
  const { sent } = await play(runner, 'cancel');
  assert.ok(methods(sent).includes('turn/interrupt'));
});

test('a subagent is told with the call that started it', async () => {
  const { events, of } = await play(runner, 'subagent');
  const [started, finished] = of('subagent');
  const [start] = of('tool_activity');
  assert.equal([started?.phase, started?.tool_use_id, finished?.status], ['started', start?.id, 'stopped']);
  assert.ok(start && started && events.indexOf(start) < events.indexOf(started));
});

test('the turn starts once the servers of --mcp-config are up or have failed', async () => {
  const { of, sent } = await play(runner, 'mcp-server');
  assert.equal(
    of('status').map((event) => event.phase),
    ['initializing', 'ready'],
  );
  assert.equal(of('status')[1]?.mcp_servers, [
    { name: 'lab', status: 'ready' },
    {
      name: 'broken',
      status: 'failed',
      reason: 'MCP client for `broken` failed to start: MCP startup failed: No such file or directory (os error 2)',
    },
  ]);
  assert.match(
    JSON.stringify(sent.find((message) => message['method'] === 'thread/start')),
    '"default_tools_approval_mode":"approve"',
  );
  assert.is(of('tool_activity')[0]?.name, 'mcp__lab__create_nodes');
});

test('a strict schema is sent natively', async () => {
  const { of, sent } = await play(runner, 'schema');
  const turn = JSON.stringify(sent.find((message) => message['method'] === 'turn/start'));
  assert.match(turn, '"outputSchema":{');
  assert.is(of('result')[0]?.output, '{"a":2}');
});

test('a round limit ends the turn at the first tool past it', async () => {
  const { exitCode, of } = await play(runner, 'max-turns');
  assert.equal([exitCode, of('result')[0]?.stop_reason], [1, 'max_turns']);
  assert.ok(of('tool_activity').filter((event) => event.phase === 'start').length <= 3);
});

test.run();
