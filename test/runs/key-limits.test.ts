import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PrincipalLimits } from '../../src/contract/principal.js';
import { CoreError } from '../../src/runs/failure.js';
import { isOver } from '../../src/runs/records.js';
import { begins, done, plan, stage } from './fake-turn.js';

const keyed = (limits: PrincipalLimits) => ({
  caller: { principal: { name: 'team', kind: 'key' as const, limits }, surface: 'test' },
});

async function refused(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CoreError) return error.reason;
    throw error;
  }
  return 'accepted';
}

test('a key has as many turns under way as it may, also when they come at once', async () => {
  const on = stage();
  const how = keyed({ concurrency: 2 });
  const all = await Promise.all([1, 2, 3].map(() => refused(on.submit('x', how))));
  assert.equal(all, ['accepted', 'accepted', 'busy']);
  // Another key has its own.
  assert.is(await refused(on.submit('x')), 'accepted');
  const runs = await on.core.runs.list({ limit: 10, principal: 'team' }, how.caller);
  while (on.turns.length < 3) await new Promise((resolve) => setImmediate(resolve));
  on.turns[0]?.end();
  await on.core.runs
    .ended(runs.find(({ status }) => !isOver(status))?.run_id ?? '', how.caller, AbortSignal.timeout(20))
    .catch(() => {});
  assert.is(await refused(on.submit('x', how)), 'accepted');
});

test('a turn that waits for its caller takes a quarter of a place', async () => {
  const on = stage();
  const how = keyed({ concurrency: 1 });
  const { run } = await on.submit('x', how);
  while (on.turns.length < 1) await new Promise((resolve) => setImmediate(resolve));
  assert.is(await refused(on.submit('x', how)), 'busy');
  on.turns[0]?.emit(begins(1));
  on.turns[0]?.emit({ v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: {} });
  // A quarter and a whole one are more than one.
  assert.is(await refused(on.submit('x', how)), 'busy');
  const two = keyed({ concurrency: 2 });
  assert.is(await refused(on.submit('x', two)), 'accepted');
  assert.is(run.principal, 'team');
});

test('a budget is what the last day has cost, and bounds the next turn', async () => {
  const on = stage();
  const how = keyed({ budgetUsd: 1 });
  const { run } = await on.submit('x', how);
  while (on.turns.length < 1) await new Promise((resolve) => setImmediate(resolve));
  assert.is(on.turns[0]?.plan.request.budgetUsd, 1);
  const totals = (cost_usd: number) => ({ input_tokens: null, output_tokens: null, cached_tokens: null, cost_usd });
  on.turns[0]?.end({ ...done(), totals: totals(0.75) });
  await on.core.runs.ended(run.run_id, how.caller);
  const again = await on.submit('x', how);
  while (on.turns.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.is(on.turns[1]?.plan.request.budgetUsd, 0.25);
  on.turns[1]?.end({ ...done(), totals: totals(0.5) });
  await on.core.runs.ended(again.run.run_id, how.caller);
  assert.is(await refused(on.submit('x', how)), 'budget');
  assert.is(await refused(on.submit('x')), 'accepted');
});

test('a request that is known by its key is answered, whatever the limits', async () => {
  const on = stage();
  const how = keyed({ concurrency: 1 });
  const idempotency = { key: 'k', request: { a: 1 } };
  const first = await on.submit('x', { ...how, idempotency });
  const again = await on.submit('x', { ...how, idempotency });
  assert.is(again.replayed, true);
  assert.is(again.run.run_id, first.run.run_id);
  assert.is(plan().request.budgetUsd, null);
});

test.run();
