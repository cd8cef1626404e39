import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nativeLines } from '../../src/text/native-lines.js';

test('a line of JSON comes back as it is', () => {
  for (const line of ['{"a":1}', '{"a":"}{"}', '{"a":"} {","b":{"c":"\\"}{"}}', '  {"a":1}']) {
    assert.equal(nativeLines(line), [line]);
  }
});

test('objects on one line are parted', () => {
  assert.equal(nativeLines('{"a":1}{"b":"}{"}'), ['{"a":1}', '{"b":"}{"}']);
  assert.equal(nativeLines('{"a":{"b":2}} {"c":"\\\\"}\t{}'), ['{"a":{"b":2}}', '{"c":"\\\\"}', '{}']);
});

test('what stands around an object goes', () => {
  for (const [before, after] of [
    ['\u001b[2K\u001b[1;31m', ''],
    ['\u001b]0;project: ready\u0007', ''],
    ['\u001b]8;;https://example.com\u001b\\', '\u001b]8;;\u001b\\'],
    ['\u001bP1$r0m\u001b\\', ''],
    ['\0\0', ''],
    ['\ufeff', ''],
    ['warning: "a quote is open, ', ''],
    ['[debug] {project} ', ' done'],
    ['{ ', ''],
    ['', '\u001b[0m'],
    ['', ' }'],
  ]) {
    assert.equal(nativeLines(`${before}{"a":1}${after}`), ['{"a":1}'], JSON.stringify([before, after]));
  }
});

test('an object is found beside one that is broken', () => {
  assert.equal(nativeLines('{"a":1,}{"b":2}'), ['{"b":2}']);
  assert.equal(nativeLines('{"a":1}{"b":'), ['{"a":1}']);
});

test('what stands inside of a broken object is no line of the program', () => {
  const cut = '{"type":"tool","input":{"type":"result","is_error":false},"te';
  assert.equal(nativeLines(cut), [cut]);
  const wrong = '{"type":"tool","input":{"type":"result"},}';
  assert.equal(nativeLines(wrong), [wrong]);
});

test('a line without an object stays whole', () => {
  for (const line of ['', 'text', '[1]', '  indented', '\u001b[31mred', '{a}{b}', '{"a}{', '{{{{']) {
    assert.equal(nativeLines(line), [line]);
  }
});

test('a long line of open braces takes no time', () => {
  const line = '{"'.repeat(1_000_000);
  assert.equal(nativeLines(line).length, 1);
  assert.equal(nativeLines('{'.repeat(1_000_000)).length, 1);
});

test.run();
