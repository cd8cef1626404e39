import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nativeLines } from '../../src/text/native-lines.js';

test('a line of JSON comes back as it is', () => {
  for (const line of [
    '{"a":1}',
    '{"a":"}{"}',
    '{"a":"} {","b":{"c":"\\"}{"}}',
    '[1]',
    '',
    'text',
    '  indented',
    '\ttext',
  ]) {
    assert.equal(nativeLines(line), [line]);
  }
});

test('objects on one line are parted', () => {
  assert.equal(nativeLines('{"a":1}{"b":"}{"}'), ['{"a":1}', '{"b":"}{"}']);
  assert.equal(nativeLines('{"a":{"b":2}} {"c":"\\\\"}\t{}'), ['{"a":{"b":2}}', '{"c":"\\\\"}', '{}']);
});

test('control characters in front of an object go', () => {
  assert.equal(nativeLines('\u001b[2K\u001b[1;31m{"a":1}'), ['{"a":1}']);
  assert.equal(nativeLines('\0\0{"a":1}{"b":2}'), ['{"a":1}', '{"b":2}']);
  assert.equal(nativeLines('\ufeff{"a":1}'), ['{"a":1}']);
});

test('what is no row of objects stays whole', () => {
  for (const line of [
    '{"a":1}{"b":',
    '{"a":1}}{',
    '{"a":1}{b}',
    '{a}{b}',
    '{"a":1}{"b":2}x',
    '\u001b[31mred',
    '{"a}{',
  ]) {
    assert.equal(nativeLines(line), [line]);
  }
});

test.run();
