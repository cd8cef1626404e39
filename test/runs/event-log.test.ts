import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventLog, type Followed, follow } from '../../src/runs/event-log.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { says, settled } from './fake-turn.js';

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

test('a reader goes on from its cursor', async () => {
  const log = eventLog('r', memoryStore());
  for (let i = 0; i < 10; i++) log.append(says('x'));
  assert.equal(await read(follow(log, { after: 7, follow: false })), [8, 9, 10]);
  assert.equal(await read(follow(log, { after: 10, follow: false })), []);
  assert.equal(await read(follow(log, { after: 99, follow: false })), []);
});

test('what was forgotten is told as a gap, and the last event stays', async () => {
  const log = eventLog('r', memoryStore({ kept: 2000 }));
  for (let i = 0; i < 5000; i++) log.append(says('word '.repeat(5)));
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

test.run();
