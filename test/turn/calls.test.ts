import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import type { Action, Heard } from '../../src/runner/action.js';
import type { Toolbox } from '../../src/turn/calls.js';
import { finish, stage, text } from './stage.js';

const box: Toolbox = {
  declared: (name) => (name === 'add_node' ? 'add/node' : name === 'plain' ? 'plain' : undefined),
  names: () => ['add/node', 'plain'],
  violation: (name, args) => (name === 'add/node' && !('count' in args) ? 'arguments must have count' : null),
};
const call = (key: string, name = 'plain', args = {}): Action => ({ do: 'call', key, name, args });
const answers = (heard: readonly Heard[]) => heard.flatMap((one) => (one.type === 'answer' ? [one] : []));
const results = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
const calls = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'tool_call' ? [event] : []));

test('parallel calls all go out, and answers may come in any order', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'), call('b'));
  assert.equal(
    calls(on.events).map((event) => event.id),
    ['tc_1', 'tc_2'],
  );
  on.turn.frame({ type: 'tool_result', id: 'tc_2', ok: true, result: { text: 'two' } });
  on.turn.frame({ type: 'tool_result', id: 'tc_1', ok: true, result: 'one' });
  assert.equal(
    answers(on.heard).map((one) => [one.key, one.ok, one.text]),
    [
      ['b', true, 'two'],
      ['a', true, 'one'],
    ],
  );
  on.act(text('done'), finish);
  on.exit();
  assert.is(await on.turn.done, 0);
});

test('a tool comes back under the name it was declared with', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a', 'add_node', { count: 1 }));
  assert.is(calls(on.events)[0]?.name, 'add/node');
});

test('bad arguments and unknown tools go back to the agent, not to the host', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a', 'add_node'), call('b', 'nothing'));
  assert.is(calls(on.events).length, 0);
  assert.equal(
    answers(on.heard).map((one) => one.ok),
    [false, false],
  );
  assert.match(answers(on.heard)[0]?.text ?? '', 'ERROR: arguments must have count');
  assert.match(answers(on.heard)[1]?.text ?? '', 'available: add/node, plain');
});

test("the host's own ok:false is kept and marked for the agent", async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'));
  on.turn.frame({ type: 'tool_result', id: 'tc_1', ok: false, result: { text: 'no disk' } });
  assert.equal(answers(on.heard)[0], { type: 'answer', key: 'a', ok: false, text: 'ERROR: no disk' });
  assert.is(results(on.events)[0]?.ok, false);
});

test('a call nobody answers in time fails, and the turn goes on', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true, toolTimeoutMs: 1000 } });
  on.act(call('a'));
  await on.tick(1000);
  assert.is(answers(on.heard)[0]?.text, 'ERROR: tool timeout');
  on.turn.frame({ type: 'tool_result', id: 'tc_1', ok: true, result: 'late' });
  assert.is(on.events.at(-1)?.type === 'error' && on.events.at(-1)?.type, 'error');
  on.act(text('done'), finish);
  on.exit();
  assert.is(await on.turn.done, 0);
});

test('closed stdin fails the pending call and every later one', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'));
  on.turn.stdinClosed();
  on.act(call('b'));
  assert.equal(
    answers(on.heard).map((one) => one.text),
    ['ERROR: caller closed stdin', 'ERROR: caller closed stdin'],
  );
  assert.is(calls(on.events).length, 1);
});

test('a bad frame that names a pending call fails it', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'));
  on.turn.badFrame('not JSON', 'tc_1');
  assert.is(answers(on.heard)[0]?.text, 'ERROR: bad tool_result frame');
  assert.equal(on.types(), ['start', 'tool_call', 'error', 'tool_result']);
});

test('a cancel closes what is open', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'));
  on.turn.frame({ type: 'cancel' });
  on.exit(0);
  assert.is(await on.turn.done, 130);
  assert.equal(on.types(), ['start', 'tool_call', 'tool_result', 'error', 'done']);
  assert.is(results(on.events)[0]?.result.text, 'ERROR: exec terminated');
});

test('arguments over the limit go back to the agent with a notice to the host', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a', 'plain', { big: 'x'.repeat(1_000_000) }));
  assert.is(answers(on.heard)[0]?.text, 'ERROR: arguments too large');
  assert.equal(on.types(), ['start', 'status']);
});

test('the echo of a big answer is cut, the agent gets all of it', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'));
  on.turn.frame({ type: 'tool_result', id: 'tc_1', ok: true, result: 'é'.repeat(400_000) });
  assert.is(answers(on.heard)[0]?.text.length, 400_000);
  const echo = results(on.events)[0];
  assert.ok(Buffer.byteLength(echo?.result.text ?? '') <= 256 * 1024);
  assert.equal(Object.keys(echo?.result ?? {}), ['text']);
  assert.is(echo?.text_truncated, true);
});

test('a call the agent withdraws tells the host to stop', async () => {
  const on = await stage({ toolbox: box, request: { toolsOn: true } });
  on.act(call('a'));
  on.act({ do: 'withdraw', key: 'a' });
  assert.is(results(on.events)[0]?.ok, false);
  assert.is(answers(on.heard).length, 0);
});

const ask = (key: string, command: string): Action => ({
  do: 'ask',
  key,
  question: { name: 'Bash', kind: 'shell', input: { command }, toolUseId: `t-${key}` },
});
const decisions = (heard: readonly Heard[]) => heard.flatMap((one) => (one.type === 'decision' ? [one] : []));

test('without a host to ask, the mode decides and the model is told why', async () => {
  const on = await stage();
  on.act(ask('a', 'git status'), ask('b', 'touch x'));
  assert.equal(
    decisions(on.heard).map((one) => one.choice),
    ['allow_once', 'deny'],
  );
  assert.match(decisions(on.heard)[1]?.message ?? '', 'access mode scoped');
  assert.equal(on.types(), ['start']);
});

test('a host that is asked decides; allow_session covers the same program for the rest of the turn', async () => {
  const on = await stage({ request: { approvals: 'stdio' } });
  on.act(ask('a', 'make build'));
  assert.equal(on.types(), ['start', 'permission_request']);
  on.turn.frame({ type: 'permission_result', id: 'pr_1', choice: 'allow_session' });
  on.act(ask('b', 'make test'), ask('c', 'rm x'));
  assert.equal(
    decisions(on.heard).map((one) => one.choice),
    ['allow_once', 'allow_once'],
  );
  on.turn.frame({ type: 'permission_result', id: 'pr_2', choice: 'deny', message: 'not that' });
  assert.is(decisions(on.heard)[2]?.message, 'not that');
  on.turn.frame({ type: 'permission_result', id: 'pr_2', choice: 'deny' });
  assert.is(on.events.at(-1)?.type, 'error');
});

for (const access of ['read', 'edit'] as const) {
  test(`a host that is asked decides beyond ${access} too, and what the mode allows is not asked`, async () => {
    const modes = { [access]: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] } } as const;
    const on = await stage({ request: { access, approvals: 'stdio' }, runner: { access: modes } });
    on.act(ask('a', 'ls'), ask('b', 'npm test'));
    assert.equal(on.types(), ['start', 'permission_request']);
    on.turn.frame({ type: 'permission_result', id: 'pr_1', choice: 'allow_once' });
    assert.equal(
      decisions(on.heard).map((one) => one.choice),
      ['allow_once', 'allow_once'],
    );
  });
}

test('a turn that offers no tools asks about none', async () => {
  const modes = { none: { native_sandbox: 'read-only', approvals: 'n/a', gaps: [] } } as const;
  const on = await stage({ request: { access: 'none', approvals: 'stdio' }, runner: { access: modes } });
  on.act(ask('a', 'ls'));
  assert.is(decisions(on.heard)[0]?.choice, 'deny');
  assert.not.ok(on.types().includes('permission_request'));
});

test('closed stdin denies open questions', async () => {
  const on = await stage({ request: { approvals: 'stdio' } });
  on.act(ask('a', 'make'));
  on.turn.stdinClosed();
  on.act(ask('b', 'make'));
  assert.equal(
    decisions(on.heard).map((one) => [one.choice, one.message]),
    [
      ['deny', 'ERROR: caller closed stdin'],
      ['deny', 'ERROR: caller closed stdin'],
    ],
  );
});

test.run();
