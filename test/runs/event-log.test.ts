import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventLog } from '../../src/runs/event-log.js';
import { CoreError } from '../../src/runs/failure.js';
import { follow } from '../../src/runs/follow.js';
import type { Followed } from '../../src/runs/ports.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { says, settled } from './fake-turn.js';
import { most } from './samples.js';

async function read(iterable: AsyncIterable<Followed>): Promise<(number | string)[]> {
  const seen: (number | string)[] = [];
  for await (const one of iterable) seen.push('entry' in one ? one.entry.seq : `${one.gap.from}-${one.gap.to}`);
  return seen;
}

test('numbers begin at 1 and have no holes, for every reader alike', async () => {
  const log = eventLog('r', memoryStore());
  const readers = [read(follow(log, { after: 0, follow: true })), read(follow(log, { after: 0, follow: true }))];
  for (let i = 0; i < 20_000; i++) {
    log.append(says(`${i}`));
    if (i % 5000 === 0) await settled();
  }
  log.close();
  const expected = Array.from({ length: 20_000 }, (_, i) => i + 1);
  for (const seen of await Promise.all(readers)) assert.equal(seen, expected);
});

test('what is appended in the moment a reader is woken is seen, too', async () => {
  const log = eventLog('r', memoryStore());
  for (let i = 0; i < 50; i++) {
    log.append(says('x'));
    await log.more(i);
  }
  await settled();
  assert.is(log.last, 50);
});

test('a reader goes on from its cursor; one beyond the end is refused', async () => {
  const log = eventLog('r', memoryStore());
  for (let i = 0; i < 10; i++) log.append(says('x'));
  await log.durable();
  assert.equal(await read(follow(log, { after: 7, follow: false })), [8, 9, 10]);
  assert.equal(await read(follow(log, { after: 10, follow: false })), []);
  try {
    await read(follow(log, { after: 11, follow: true }));
    assert.unreachable();
  } catch (error) {
    assert.is(error instanceof CoreError ? error.reason : error, 'bad-request');
  }
});

test('what was forgotten is reported as a gap, and the last event stays', async () => {
  const log = eventLog('r', memoryStore({ kept: 2000 }));
  for (let i = 0; i < 5000; i++) log.append(says('word '.repeat(5)));
  await log.durable();
  log.close();
  const seen = await read(follow(log, { after: 0, follow: true }));
  assert.match(String(seen[0]), /^1-\d+$/);
  assert.is(seen.at(-1), 5000);
  const [, to] = String(seen[0]).split('-');
  assert.is(seen[1], Number(to) + 1);
});

test('a reader that leaves stops waiting', async () => {
  const log = eventLog('r', memoryStore());
  const leave = new AbortController();
  const reading = read(follow(log, { after: 0, follow: true, signal: leave.signal }));
  log.append(says('x'));
  await settled();
  leave.abort();
  assert.equal(await reading, [1]);
});

test('nobody sees an entry before it is durable', async () => {
  const store = memoryStore();
  let durable: () => void = () => {};
  const slow = { ...store, commit: () => new Promise<void>((resolve) => (durable = resolve)) };
  const log = eventLog('r', slow);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const one of follow(log, { after: 0, follow: true })) if ('entry' in one) seen.push(one.entry.seq);
  })();
  log.append(says('one'));
  log.append(says('two'));
  log.close();
  await settled();
  assert.equal([log.last, log.read(0, most(9)), log.closed, seen], [0, [], false, []]);
  durable();
  await settled();
  durable();
  await reading;
  assert.equal(seen, [1, 2]);
});

test('a store that can not be written is tried again, and nothing is skipped', async () => {
  const store = memoryStore();
  let failures = 1;
  const log = eventLog('r', {
    ...store,
    commit: () => (failures-- > 0 ? Promise.reject(new CoreError('store', 'full')) : Promise.resolve()),
  });
  log.append(says('one'));
  await settled();
  assert.is(log.last, 0);
  log.append(says('two'));
  await log.durable();
  assert.equal(
    log.read(0, most(9)).map(({ seq }) => seq),
    [1, 2],
  );
});

test('a reader that is far behind holds the runtime back, until it has caught up or left', async () => {
  const heard: boolean[] = [];
  const log = eventLog('r', memoryStore(), (held) => heard.push(held));
  const big = 'x'.repeat(1024 * 1024);
  const reading = follow(log, { after: 0, follow: true, holds: true });
  const first = reading.next();
  for (let i = 0; i < 6; i++) log.append(says(big));
  await first;
  assert.equal(heard, [true]);
  for (let i = 0; i < 5; i++) await reading.next();
  log.close();
  await reading.next();
  assert.equal(heard, [true, false]);
});

test.run();
