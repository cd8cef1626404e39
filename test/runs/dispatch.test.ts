import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dispatch } from '../../src/runs/dispatch.js';
import type { Caller } from '../../src/runs/ports.js';
import { until } from './conformance/worlds.js';

const test = suite('dispatch in one process');

const named = (name: string): Caller => ({ surface: 'http', principal: { kind: 'key', name } });
const job = (run_id: string, caller = named('ada')) => ({ run_id, session_id: `s-${run_id}`, caller });
const how = { whenBusy: 'queue', whenFull: 'queue' } as const;

/** Jobs whose programs say nothing until they are made to. */
function quiet(options: { places: number; queue?: number; starts?: number }) {
  const order = dispatch({ queue: 10, ...options });
  const begun = new Map<string, () => void>();
  const ends = new Map<string, () => void>();
  order.serve((one, _place, speaks) => {
    begun.set(one.run_id, speaks);
    return new Promise((resolve) => ends.set(one.run_id, resolve));
  });
  return { order, begun, speak: (run: string) => begun.get(run)?.(), end: (run: string) => ends.get(run)?.() };
}

const reason = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: { reason?: string }) => error.reason,
  );

test('so many programs start at once, and the next one when one of them speaks or ends', async () => {
  const { order, begun, speak, end } = quiet({ places: 10, starts: 2 });
  for (const run of ['a', 'b', 'c', 'd']) await order.enqueue(job(run), how);
  assert.equal([...begun.keys()], ['a', 'b']);
  speak('b');
  await until(() => begun.has('c'));
  assert.not(begun.has('d'));
  end('a');
  await until(() => begun.has('d'));
});

test('a program that says nothing does not keep the others back for ever', async () => {
  const { order, begun } = quiet({ places: 10, starts: 1 });
  for (const run of ['a', 'b']) await order.enqueue(job(run), how);
  assert.equal([...begun.keys()], ['a']);
  await until(() => begun.has('b'));
});

test('who is refused when all places are taken is refused for its own turns, not for those of others', async () => {
  const { order, end } = quiet({ places: 2, starts: 2 });
  const refuse = { whenBusy: 'queue', whenFull: 'refuse' } as const;
  await order.enqueue(job('a1'), refuse);
  await order.enqueue(job('a2'), refuse);
  assert.is(await reason(order.enqueue(job('a3'), refuse)), 'busy');
  assert.is(await reason(order.enqueue(job('b1', named('bob')), refuse)), 'taken');
  end('a1');
  await until(async () => (await order.load()).queued === 0);
  assert.is(await reason(order.enqueue(job('a3'), refuse)), 'taken');
  assert.is(await reason(order.enqueue(job('a4'), refuse)), 'busy');
});

test('however many callers there are, not everything is taken', async () => {
  const { order } = quiet({ places: 1, queue: 3 });
  const taken: (string | undefined)[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    taken.push(await reason(order.enqueue(job(name, named(name)), { whenBusy: 'queue', whenFull: 'refuse' })));
  assert.equal(taken, ['taken', 'taken', 'taken', 'taken', 'busy', 'busy']);
});

test.run();
