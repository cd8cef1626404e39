import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/demo/index.js';
import type { Action } from '../../src/runner/action.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request, saidText } from '../runners/drive.js';

const test = suite('runner of the demo runtime');
const open = (changes = {}) => runner.converse(request({ runtime: 'demo', ...changes }), machine());
const last = (actions: Action[]) => actions.at(-1);

test('starts itself as a child process', () => {
  const answer = runner.invoke(request(), machine());
  assert.not.ok(isRefusal(answer));
  if (!isRefusal(answer)) assert.equal(answer.argv, ['node', 'turnout.js', '__demo']);
});

test('refuses MCP servers, which it does not load', () => {
  const server = { name: 'x', type: 'http' as const, url: 'http://127.0.0.1/', headers: {} };
  assert.ok(isRefusal(runner.invoke(request({ mcpServers: [server] }), machine())));
});

test('sends one prompt with all the program must know', () => {
  const [action] = open({ resume: 'abc', access: 'full', system: 'Be brief.' }).hear({ type: 'spawned' });
  assert.is(action?.do, 'write');
  if (action?.do === 'write') {
    const sent = JSON.parse(action.line);
    assert.equal([sent.session, sent.resume, sent.ask, sent.system], ['abc', true, false, 'Be brief.']);
  }
});

test('asks for permission at every mode but full', () => {
  for (const access of ['scoped', 'read', 'edit'] as const) {
    const [action] = open({ access }).hear({ type: 'spawned' });
    if (action?.do === 'write') assert.is(JSON.parse(action.line).ask, true);
  }
});

test('knows no tool of its own at the mode none', () => {
  const [action] = open({ access: 'none' }).hear({ type: 'spawned' });
  assert.is(action?.do, 'write');
  if (action?.do === 'write') assert.is(JSON.parse(action.line).native, false);
});

test('gives a shell its canonical input in the activity and in the question', () => {
  const actions = hearAll(
    open(),
    lines(
      { type: 'tool_start', id: 't1', message: 'm1', name: 'shell', input: { command: 'ls' } },
      { type: 'question', key: 'k1', tool: 't1', name: 'shell', input: { command: 'ls' } },
    ),
  );
  assert.equal(actions[0], { do: 'round', id: 'm1' });
  assert.equal(last(actions), {
    do: 'ask',
    key: 'k1',
    question: { toolUseId: 't1', name: 'shell', kind: 'shell', input: { command: 'ls' } },
  });
});

test('counts one round for all tools of a message', () => {
  const want = (key: string) => ({ type: 'want_tool', key, message: 'm1', name: 'a', args: {} });
  const actions = hearAll(open(), lines(want('k1'), want('k2')));
  assert.equal(
    actions.map((action) => action.do),
    ['round', 'call', 'call'],
  );
});

test('maps every kind of failure to a code', () => {
  const codes = {
    auth: 'auth',
    quota: 'quota',
    rate_limit: 'rate-limited',
    model_not_found: 'model-unavailable',
    other: 'runner-error',
  };
  for (const [kind, code] of Object.entries(codes)) {
    const action = last(hearAll(open(), lines({ type: 'end', reason: 'error', error: { kind, message: 'no' } })));
    assert.ok(action?.do === 'finish' && !action.outcome.ok && action.outcome.code === code, kind);
  }
});

test('does not take the text of an answer for a failure', () => {
  const actions = hearAll(
    open(),
    lines({ type: 'delta', message: 'm1', text: '401 unauthorized' }, { type: 'end', reason: 'end_turn' }),
  );
  assert.is(saidText(actions), '401 unauthorized');
  assert.equal(last(actions), { do: 'finish', outcome: { ok: true, stopReason: 'end_turn' }, living: { turns: 1 } });
});

test('fails the turn when the program ends without its mark, whatever the exit code', () => {
  const actions = open().hear({ type: 'exit', code: 0, signal: null, files: {} });
  assert.ok(actions[0]?.do === 'finish' && !actions[0].outcome.ok);
});

test('says nothing after the mark', () => {
  const conversation = open();
  hearAll(conversation, lines({ type: 'end', reason: 'end_turn' }));
  assert.equal(hearAll(conversation, lines({ type: 'delta', message: 'm1', text: 'late' })), []);
  assert.equal(conversation.hear({ type: 'exit', code: 1, signal: null, files: {} }), []);
});

test('keeps a line that nobody knows for diagnosis', () => {
  const actions = hearAll(open(), lines('npm WARN something', { type: 'new-thing' }));
  assert.equal(
    actions.map((action) => action.do),
    ['unread', 'unread'],
  );
});

test.run();
