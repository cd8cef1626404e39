import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { joined, judgeStream, readStream } from './stream.js';

const start = { v: 1, type: 'start', runtime: 'x' };
const text = { v: 1, type: 'assistant', text: 'hi', message_id: 'm1' };
const usage = { v: 1, type: 'usage', input_tokens: 3, output_tokens: 2, cost_usd: null };
const result = { v: 1, type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', text: 'hi' };
const totals = { input_tokens: 3, output_tokens: 2, cached_tokens: null, cost_usd: null };
const done = { v: 1, type: 'done', exit_code: 0, stop_reason: 'end_turn', duration_ms: 1, totals };

const bytes = (...events: object[]): Buffer =>
  Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));

function violations(exitCode: number, ...events: object[]): string[] {
  return judgeStream(readStream(bytes(...events)), exitCode);
}

test('an orderly stream has no violations', () => {
  assert.equal(violations(0, start, text, usage, result, done), []);
});

test('a second end, a missing start and a wrong exit code are seen', () => {
  assert.ok(violations(0, start, text, result, result, done).some((one) => one.includes('the end is')));
  assert.ok(violations(0, text, result, done).includes('the first event is not start'));
  assert.ok(violations(1, start, text, usage, result, done).some((one) => one.includes('the exit code is 1')));
  assert.ok(violations(0, start, text, result, done, text).includes('the last event is not done'));
});

test('an error code must end with its exit code', () => {
  const error = { v: 1, type: 'error', code: 'timeout', message: 'x', fatal: false };
  assert.ok(
    violations(1, start, error, { ...done, exit_code: 1 }).some((one) => one.includes('error timeout ends with 1')),
  );
});

test('an activity without its end, and usage that does not add up, are seen', () => {
  const open = { v: 1, type: 'tool_activity', phase: 'start', id: 't1', name: 'Bash', kind: 'shell' };
  assert.ok(violations(0, start, open, usage, result, done).some((one) => one.includes('ends missing')));
  assert.ok(violations(0, start, usage, usage, result, done).some((one) => one.includes('sum to 6')));
});

test('bytes that are not UTF-8, raw separators and missing newlines are seen', () => {
  assert.is(readStream(Buffer.from([0x22, 0xff, 0x22, 0x0a])).violations.length, 1);
  assert.is(readStream(Buffer.from('{"v":1,"type":"start","a":"\u2028"}\n')).violations.length, 1);
  assert.is(readStream(Buffer.from('{"v":1,"type":"start"}')).violations.length, 1);
});

test('a repeated message takes the place of the one it repeats', () => {
  const events = readStream(bytes(text, { ...text, message_id: 'm2', text: 'hi again', replaces: 'm1' })).events;
  assert.is(joined(events), 'hi again');
});

test.run();
