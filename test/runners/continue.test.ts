/** Turns of Continue 1.5.47, from recordings, and how it is started. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { failure } from '../../runners/continue/errors.js';
import runner from '../../runners/continue/index.js';
import { listed, turnActions } from '../../runners/continue/session.js';
import type { Json } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, machine, request } from './drive.js';
import { play } from './play.js';

const started = (changes: Partial<TurnRequest> = {}, on = machine()) => runner.invoke(request(changes), on);
const argv = (changes: Partial<TurnRequest> = {}) => {
  const answer = started(changes);
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.join(' ');
};
const outcome = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];
const exit = (code: number, session: string | null) =>
  ({ type: 'exit', code, signal: null, files: { session } }) as const;

test('what it prints is the answer; the file of its session tells what it took', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.is(of('assistant')[0]?.text, 'Hello from the scripted model.');
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.output_tokens, one.cost_usd]),
    [[1200, 34, null]],
  );
  assert.match(of('session')[0]?.session_id ?? '', /^[0-9a-f-]{36}$/);
});

test('its tools stand in that file too', async () => {
  const [start, end] = (await play(runner, 'shell')).of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.kind, start.input], [
    'shell',
    { command: 'ls /nonexistent; exit 3' },
  ]);
  assert.equal(end?.phase === 'end' && [end.ok, end.exit_code], [false, 3]);
});

test("a caller's tool takes another round of the same session, and what was there before is not told twice", async () => {
  const { of, exitCode } = await play(runner, 'tool');
  assert.is(exitCode, 0);
  assert.is(of('tool_call').length, 1);
  assert.is(of('session').length, 1);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Running the tool.\n', 'Tool said: FOUND {"word":"x"}'],
  );
});

test('a refused key, a session that is not there, and neither a configuration nor a network', async () => {
  assert.is((await play(runner, 'unauthorized')).of('error')[0]?.code, 'auth');
  assert.is((await play(runner, 'unknown-session')).of('error')[0]?.code, 'session-not-found');
  assert.is((await play(runner, 'no-login')).of('error')[0]?.code, 'auth');
});

test('the last JSON line of stderr is the error', () => {
  const of = (message: string) => failure(['noise', JSON.stringify({ status: 'error', message })])?.code;
  assert.is(of('401 invalid api key'), 'auth');
  assert.is(of('429 Rate limit reached for x'), 'rate-limited');
  assert.is(of('429 You exceeded your current quota, please check'), 'quota');
  assert.is(of('500 internal error'), 'runner-error');
  assert.is(of('Premature close'), 'runner-error');
  assert.is(failure(['Error: A prompt is required when using the -p/--print flag']), null);
});

test('without the file, what was printed is the answer; exit 0 without a word is none', () => {
  const conversation = runner.converse(request(), machine({ envNames: new Set(['CONTINUE_GLOBAL_DIR']) }));
  const actions = hearAll(conversation, [
    { type: 'spawned' },
    { type: 'line', text: 'a' },
    { type: 'line', text: 'b' },
  ]);
  assert.equal(actions, [], 'nothing is known before the end');
  const end = conversation.hear(exit(0, null));
  assert.equal(
    end.flatMap((action) => (action.do === 'say' && action.event.type === 'assistant' ? [action.event.text] : [])),
    ['a\nb'],
  );
  assert.is(outcome(end)?.ok, true);
});

test('a resumed session is looked up before anything is asked', () => {
  const answer = started({ resume: 'abc-1' });
  assert.ok(!isRefusal(answer));
  assert.equal(!isRefusal(answer) && answer.argv, ['node', 'turnout.js', '--version']);
  assert.equal(!isRefusal(answer) && answer.collect, { session: '/home/user/.continue/sessions/abc-1.json' });
  const gone = hearAll(runner.converse(request({ resume: 'abc-1' }), machine()), [{ type: 'spawned' }, exit(0, null)]);
  const end = outcome(gone);
  assert.is(end && !end.ok && end.code, 'session-not-found');
  const conversation = runner.converse(request({ resume: 'abc-1' }), machine());
  const there = hearAll(conversation, [{ type: 'spawned' }, exit(0, '{"history":[{"message":{"role":"user"}}]}')]);
  const next = there.find((action) => action.do === 'spawn');
  assert.ok(next?.do === 'spawn' && next.invocation.argv.includes('--resume'));
});

test('an id that would lead elsewhere is none', () => {
  assert.match(argv({ resume: '../../secrets' }), /^refused/);
  assert.ok(isRefusal(started({ resume: 'a' }, machine({ envNames: new Set(['CONTINUE_GLOBAL_DIR']) }))));
});

test('tools that do more than read are excluded, never by --readonly, which would exclude nothing', () => {
  for (const tool of ['Bash', 'Write', 'Edit', 'MultiEdit', 'Fetch', 'Subagent']) {
    assert.match(argv(), new RegExp(`--exclude ${tool} `));
  }
  assert.not.match(argv(), /--readonly|--auto/);
  assert.match(argv({ access: 'full' }), / --auto --exclude AskQuestion --exclude Exit -p -- /);
  assert.is(argv({ prompt: 'ls' }).endsWith('-p -- \nls'), true);
});

test('limits that can not be kept are told once', () => {
  const told = runner
    .converse(request({ maxTurns: 3, model: 'mock-model' }), machine())
    .hear({ type: 'spawned' })
    .flatMap((action) => (action.do === 'say' && action.event.type === 'notice' ? [action.event.message] : []));
  assert.is(told.length, 2);
});

test('a call that was never settled is left open, entries before the turn are left out', () => {
  const call = {
    toolCallId: 'c',
    toolCall: { function: { name: 'Read' } },
    status: 'calling',
    parsedArgs: { filepath: 'a' },
  };
  const history: Json[] = [
    { message: { role: 'assistant', content: 'old' } },
    { message: { role: 'assistant', content: '' }, toolCallStates: [call] },
  ];
  const said = turnActions(history, 1).flatMap((action) => (action.do === 'say' ? [action.event] : []));
  assert.is(said.length, 1);
  assert.equal(said[0]?.type === 'tool_activity' && said[0].phase === 'start' && said[0].input, { file_path: 'a' });
});

test('a session is listed by the beginning of its file', () => {
  const text = `{\n "sessionId": "s-1",\n "title": "Untitled Session",\n "workspaceDirectory": "/p",\n "history": [\n  {"message": {\n "role": "user",\n "content": "fix \\"it\\""`;
  assert.equal(listed('/p', text), { id: 's-1', title: 'fix "it"', cwd: '/p' });
  assert.is(listed('/other', text), null);
  assert.is(listed('/p', '[]'), null);
});

test.run();
