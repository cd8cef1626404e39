import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freshUuid, randomHex } from '../../src/process/random.js';

test('ids are UUIDs of version 4, each another one', () => {
  const ids = Array.from({ length: 200 }, freshUuid);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.is(new Set(ids).size, ids.length);
  for (const at of ids[0]?.replaceAll('-', '').split('').keys() ?? []) {
    const digits = new Set(ids.map((id) => id.replaceAll('-', '').charAt(at)));
    assert.ok(at === 12 || digits.size > 3, `digit ${at} is always one of ${[...digits]}`);
  }
});

test('hexadecimal digits are as many as asked for', () => {
  assert.match(randomHex(6), /^[0-9a-f]{12}$/);
  assert.is.not(randomHex(16), randomHex(16));
});

test.run();
