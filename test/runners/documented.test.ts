/** Runners made from documents alone: how they would be started, and that their formats hold what the documents say. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import amp from '../../runners/amp.js';
import antigravity from '../../runners/antigravity.js';
import crush from '../../runners/crush.js';
import cursor from '../../runners/cursor.js';
import { plainText } from '../../runners/dialects/plain-text.js';
import grok from '../../runners/grok.js';
import type { Action } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal, type Runner } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request, saidText } from './drive.js';

const argv = (runner: Runner, changes: Partial<TurnRequest> = {}, on: Machine = machine()) => {
  const answer = runner.invoke(request(changes), on);
  return isRefusal(answer)
    ? `refused: ${answer.message}`
    : answer.argv
        .slice(1)
        .map((one) => JSON.stringify(one))
        .join(' ');
};
const outcome = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];
const exit = (code: number | null, signal: string | null = null) =>
  ({ type: 'exit', code, signal, files: {} }) as const;
const ids = (actions: readonly Action[]) =>
  actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event.message_id] : [],
  );

const all = [amp, antigravity, crush, cursor, grok];

for (const runner of all) {
  test(`${runner.id}: nothing is claimed that nobody has seen`, () => {
    assert.equal(runner.testedVersions, []);
    assert.equal(runner.access.scoped?.gaps, ['read_outside', 'write', 'shell', 'network']);
    assert.equal(Object.keys(runner.access), ['scoped', 'full']);
    assert.is(runner.reportsCost, false);
    const servers = [{ name: 'x', type: 'stdio', command: 'x', args: [], env: {} } as const];
    const tight = argv(runner, { mcpServers: servers.map((one) => ({ ...one, args: [] })) });
    assert.match(tight, /^refused/);
  });
  test(`${runner.id}: a caller's tools stand in the prompt`, () => {
    const tools = [{ name: 'look_up', description: 'Looks up.', schema: {} }];
    const asked = request({ tools, toolsOn: true });
    assert.is(runner.tools(asked, machine()), 'prompt');
    const answer = runner.invoke(asked, machine());
    const fed = runner.converse(asked, machine()).hear({ type: 'spawned' });
    assert.match(JSON.stringify([answer, fed]), /tool_call:n0nce/);
  });
}

test('prompts that are arguments have their limit; the others have none', () => {
  const prompt = 'x '.repeat(70_000);
  for (const runner of all) assert.is(/^refused/.test(argv(runner, { prompt })), runner.promptInArgv, runner.id);
});

test('amp: the prompt is one frame, and whole messages are told with their tools', () => {
  const turn = amp.converse(request(), machine());
  const began = turn.hear({ type: 'spawned' });
  assert.equal(
    began.map((action) => action.do),
    ['write', 'end-stdin'],
  );
  const message = (id: string, ...content: object[]) => ({
    type: 'assistant',
    message: { id, model: 'm', content, usage: { input_tokens: 5, output_tokens: 1 } },
  });
  const actions = hearAll(
    turn,
    lines(
      { type: 'system', subtype: 'init', session_id: 'T-1', tools: [], mcp_servers: [] },
      message(
        'a',
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 't', name: 'Read', input: { path: 'x' } },
      ),
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'text' }] } },
      message('b', { type: 'text', text: 'Done.' }),
      { type: 'result', subtype: 'success', is_error: false, result: 'Done.' },
    ),
  );
  assert.is(saidText(actions), 'Looking.Done.');
  assert.is(outcome(actions)?.ok, true);
  assert.match(argv(amp, { resume: 'T-1' }), /^"threads" "continue" "T-1" /);
  assert.match(argv(amp, { model: 'gpt-x' }), /^refused/);
  assert.match(argv(amp, { model: 'high' }), /"-m" "high"/);
});

test('amp: a login that nobody will finish is auth, at once', () => {
  // The first line of what 0.0.1790142911 printed without a key.
  const end = outcome(hearAll(amp.converse(request(), machine()), lines('No API key found. Starting login flow...')));
  assert.is(end && !end.ok && end.code, 'auth');
  const refused = hearAll(amp.converse(request(), machine()), [
    { type: 'stderr', text: 'Error: API request for getUserInfo failed: 401' },
    exit(1),
  ]);
  const why = outcome(refused);
  assert.is(why && !why.ok && why.code, 'auth');
});

test('cursor: messages without ids are messages of their own; a missing end is an error', () => {
  const assistant = (text: string) => ({
    type: 'assistant',
    message: { content: [{ type: 'text', text }] },
    session_id: 'c',
  });
  const turn = cursor.converse(request(), machine());
  assert.equal(turn.hear({ type: 'spawned' }), [{ do: 'end-stdin' }]);
  const said = hearAll(turn, lines(assistant('One.'), { type: 'tool_call', subtype: 'started' }, assistant('Two.')));
  assert.equal(ids(said), ['line 1', 'line 2']);
  const end = outcome(turn.hear(exit(0)));
  assert.is(end && !end.ok && end.code, 'runner-error');
  assert.not.match(argv(cursor), /--force/);
  assert.match(argv(cursor, { access: 'full' }), /"--force"/);
});

test('only signals end what takes no requests', () => {
  for (const runner of [amp, cursor, crush]) {
    const end = outcome(runner.converse(request(), machine()).hear({ type: 'stop', cause: 'cancelled' }));
    assert.is(end && !end.ok && end.code, 'cancelled', runner.id);
  }
});

test('crush: text is told as it grows, without the newline at its end', () => {
  const turn = crush.converse(request(), machine());
  const texts = hearAll(turn, lines('one', '', 'two')).flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event.text] : [],
  );
  assert.equal(texts, ['one', '\n', '\ntwo']);
  assert.equal(
    turn.hear(exit(0)).map((action) => action.do),
    ['finish'],
  );
});

test('plain text: an exit that failed, an error that looks like an answer, noise', () => {
  const program = {
    title: 'Plain',
    grows: false,
    noise: /^⚠/,
    errorText: /^Error: /,
    failure: (stderr: readonly string[]) =>
      stderr.includes('no key') ? { code: 'auth' as const, message: 'no key' } : null,
  };
  const run = (code: number, ...texts: string[]) =>
    hearAll(plainText(program, null), [...lines(...texts), { type: 'stderr', text: 'no key' }, exit(code)]);
  assert.is(saidText(run(0, '⚠ old', 'answer')), 'answer');
  const failed = outcome(run(1, 'answer'));
  assert.equal(failed && !failed.ok && [failed.code, failed.message], ['auth', 'no key']);
  const looks = outcome(run(0, 'Error: no such model'));
  assert.is(looks && !looks.ok && looks.code, 'runner-error');
  const silent = outcome(run(0));
  assert.is(silent && !silent.ok && silent.code, 'auth');
  const killed = outcome(hearAll(plainText(program, null), [exit(null, 'SIGTERM')]));
  assert.match(killed && !killed.ok ? killed.message : '', /SIGTERM/);
});

test.run();
