import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changes } from '../../src/record/changes.js';

const diff = (before: readonly string[], now: readonly string[]) => changes(before, now, (value) => value);

test('equal lists have no changes', () => {
  assert.equal(diff(['a', 'b'], ['a', 'b']), []);
  assert.equal(diff([], []), []);
});

test('a changed value is a removal and an addition at its place', () => {
  assert.equal(diff(['a', 'b', 'c'], ['a', 'x', 'c']), [
    [
      { kind: 'removed', value: 'b', at: 1 },
      { kind: 'added', value: 'x', at: 1 },
    ],
  ]);
});

test('changes apart from each other are runs of their own', () => {
  assert.is(diff(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'e']).length, 2);
});

test('the changes lead from one list to the other', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(list, list, (before, now) => {
      const all = diff(before, now).flat();
      const removed = new Set(all.filter(({ kind }) => kind === 'removed').map(({ at }) => at));
      const added = new Map(all.filter(({ kind }) => kind === 'added').map(({ at, value }) => [at, value]));
      const kept = before.filter((_, index) => !removed.has(index));
      const built = now.map((_, index) => added.get(index) ?? kept.shift());
      assert.equal(built, now);
      assert.equal(kept, []);
    }),
  );
});

test('lists too long to compare cell by cell are one whole change', () => {
  const many = (letter: string) => Array.from({ length: 3000 }, (_, index) => `${letter}${index}`);
  const runs = diff(['same', ...many('a')], ['same', ...many('b')]);
  assert.is(runs.length, 1);
  assert.is(runs[0]?.length, 6000);
});

test.run();
