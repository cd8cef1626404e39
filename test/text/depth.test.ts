import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isTooDeep, MAX_DEPTH } from '../../src/text/depth.js';
import { parseJson } from '../../src/text/json.js';

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

test('JSON up to the limit is read, deeper is none', () => {
  assert.not.ok(isTooDeep(nested(MAX_DEPTH)));
  assert.ok(isTooDeep(nested(MAX_DEPTH + 2)));
  assert.is.not(parseJson(nested(MAX_DEPTH)), undefined);
  assert.is(parseJson(nested(100_000)), undefined);
});

test('brackets inside strings do not count', () => {
  for (const text of [
    '['.repeat(5000),
    `\\"${'{'.repeat(5000)}`,
    `${'\\\\'.repeat(3)}`,
    `\\\\\\"${'['.repeat(5000)}`,
  ]) {
    assert.not.ok(isTooDeep(JSON.stringify({ text, more: [text] })));
  }
});

test('what is no JSON ends too', () => {
  assert.not.ok(isTooDeep(`"${'['.repeat(5000)}`));
  assert.not.ok(isTooDeep(']'.repeat(5000)));
});

test.run();
