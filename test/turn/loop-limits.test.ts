import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DoneEvent, Event, ResultEvent } from '../../src/contract/event.js';
import type { Action } from '../../src/runner/action.js';
import { finish, stage, text } from './stage.js';

const of = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
const toolStart = (id: string): Action => ({
  do: 'say',
  event: { type: 'tool_activity', phase: 'start', id, name: 'Bash', kind: 'shell', input: { command: 'ls' } },
});
const toolEnd = (id: string): Action => ({
  do: 'say',
  event: { type: 'tool_activity', phase: 'end', id, ok: true, output: 'out' },
});

test('usage comes as deltas, the last one directly before the end', async () => {
  const on = await stage();
  on.act({ do: 'spend', scope: 'delta', spent: { input: 10, output: 1, costUsd: 0.1 } }, text('a'));
  assert.equal(on.types(), ['start', 'assistant']);
  on.act({ do: 'spend', scope: 'delta', spent: { input: 5, output: 2, costUsd: 0.2 } }, finish);
  on.exit();
  await on.turn.done;
  assert.equal(on.types(), ['start', 'assistant', 'usage', 'usage', 'result', 'done']);
  assert.equal(
    of(on.events, 'usage').map((event) => [event.input_tokens, event.output_tokens, event.cost_usd]),
    [
      [10, 1, 0.1],
      [5, 2, 0.2],
    ],
  );
  const done = on.events.at(-1) as DoneEvent;
  assert.equal(done.totals, { input_tokens: 15, output_tokens: 3, cached_tokens: null, cost_usd: 0.3 });
});

test('a turn over its budget ends at once', async () => {
  const on = await stage({ request: { budgetUsd: 0.15 } });
  on.act(text('a'), { do: 'spend', scope: 'delta', spent: { input: 1, output: 1, costUsd: 0.2 } });
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.is(of(on.events, 'error')[0]?.code, 'budget');
  assert.is((on.events.at(-1) as DoneEvent).stop_reason, 'budget');
});

test('a budget that could not be checked, since no cost came, is told', async () => {
  const on = await stage({ request: { budgetUsd: 1 } });
  on.act(text('a'), finish);
  on.exit();
  assert.is(await on.turn.done, 0);
  assert.equal(on.types(), ['start', 'assistant', 'status', 'result', 'done']);
});

test('the first tool past --max-turns ends the turn without an error', async () => {
  const on = await stage({ request: { maxTurns: 1 } });
  on.act(toolStart('t1'), toolStart('t2'), toolEnd('t1'), toolEnd('t2'));
  assert.is(on.heard.at(-1)?.type, 'line');
  on.act(toolStart('t3'));
  assert.is(on.heard.at(-1)?.type, 'stop');
  on.exit(0);
  assert.is(await on.turn.done, 1);
  const result = of(on.events, 'result')[0] as ResultEvent;
  assert.equal([result.subtype, result.is_error, result.stop_reason], ['error', true, 'max_turns']);
  assert.is(of(on.events, 'error').length, 0);
});

test('each phase of the start has its own limit; the failure names the phase, stderr and what could not be read', async () => {
  const on = await stage({
    runner: { startupMs: 2000 },
    limits: { startupMs: null },
    answer: (heard) => (heard.type === 'spawned' ? [{ do: 'phase', phase: 'hello' }] : []),
  });
  await on.tick(1900);
  on.act({ do: 'phase', phase: 'session' });
  await on.tick(1900);
  assert.equal(on.types(), ['start']);
  on.handlers.stderr('waiting for you');
  on.act({ do: 'unread', text: 'Welcome, s3cret' }, { do: 'unread', text: '{"type":"news"}' });
  await on.tick(200);
  on.exit(null, 'SIGTERM');
  assert.is(await on.turn.done, 124);
  const [error] = of(on.events, 'error');
  assert.equal([error?.code, error?.reason], ['timeout', 'startup']);
  assert.match(error?.message ?? '', /did not open the session within 2 s \(phase session; --startup-timeout/);
  assert.match(error?.message ?? '', /waiting for you/);
  assert.equal(error?.unread, { count: 2, last: '{"type":"news"}' });
});

test('the start is over once the prompt was taken, and has no limit at 0', async () => {
  for (const [startupMs, phase] of [
    [1000, null],
    [0, 'hello'],
  ] as const) {
    const on = await stage({
      limits: { startupMs },
      answer: (heard) => (heard.type === 'spawned' ? [{ do: 'phase', phase }] : []),
    });
    await on.tick(3_600_000);
    on.act(text('late'), finish);
    on.exit();
    assert.is(await on.turn.done, 0);
  }
});

test('a call or a question during the start is waited for', async () => {
  const question = { name: 'Bash', kind: 'shell', input: { command: 'touch x' } } as const;
  const on = await stage({
    request: { approvals: 'stdio' },
    limits: { startupMs: 1000 },
    answer: (heard) => (heard.type === 'spawned' ? [{ do: 'phase', phase: 'servers' }] : []),
  });
  on.act({ do: 'ask', key: 'q', question });
  await on.tick(10_000);
  assert.not.ok(on.types().includes('error'));
});

test('an object is heard although the conversation could not read its line', async () => {
  const on = await stage();
  on.act({ do: 'unread', text: '\u001b]0;title\u0007{"a":1} and {"b":2}' });
  assert.equal(
    on.heard.flatMap((heard) => (heard.type === 'line' ? [heard.text] : [])),
    ['{}', '{"a":1}', '{"b":2}'],
  );
  on.exit(3);
  await on.turn.done;
  assert.is(of(on.events, 'error')[0]?.unread, undefined);
});

test.run();
