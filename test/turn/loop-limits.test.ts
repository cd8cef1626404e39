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

test.run();
