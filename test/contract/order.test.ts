import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { readFlat } from './flat-struct.js';
import { orderFault } from './order.js';

const test = suite("a host's eye");

const start = { type: 'start' };
const usage = { type: 'usage' };
const text = { type: 'assistant', text: 'hi' };
const result = { type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn' };
const done = { type: 'done', exit_code: 0, stop_reason: 'end_turn' };
const failed = { type: 'done', exit_code: 1, stop_reason: 'error' };
const error = { type: 'error', code: 'runner-error', fatal: false };
const badFrame = { type: 'error', code: 'bad-frame', fatal: false };
const call = { type: 'tool_call', id: 'tc_1' };
const answer = { type: 'tool_result', id: 'tc_1' };
const begin = { type: 'tool_activity', phase: 'start', id: 't1' };
const end = { type: 'tool_activity', phase: 'end', id: 't1' };

test('takes every ending of the contract for right', () => {
  const bad = { ...result, subtype: 'error', is_error: true };
  const good: JsonObject[][] = [
    [start, text, usage, result, done],
    [start, { ...usage, input_tokens: 4 }, result, { ...done, totals: { input_tokens: 4, cost_usd: null } }],
    [start, { type: 'session', session_id: 'a' }, call, badFrame, answer, begin, end, result, done],
    [start, error, failed],
    [start, usage, error, { ...bad, stop_reason: 'error' }, failed],
    [start, { ...bad, stop_reason: 'max_turns' }, { ...failed, stop_reason: 'max_turns' }],
  ];
  for (const stream of good) assert.is(orderFault(stream), null);
});

test('finds every breach of the order', () => {
  const bad: JsonObject[][] = [
    [],
    [text, result, done],
    [start, text, result],
    [start, result, done, text],
    [start, start, result, done],
    [start, result, result, done],
    [start, result, text, done],
    [start, error, text, result, done],
    [start, text, done],
    [start, text, badFrame, done],
    [start, call, result, done],
    [start, answer, result, done],
    [start, call, answer, answer, result, done],
    [start, begin, begin, end, result, done],
    [start, begin, result, done],
    [start, { type: 'session', session_id: 'a' }, { type: 'session', session_id: 'a' }, result, done],
    [start, result, { ...done, exit_code: 1 }],
    [start, { ...error, code: 'auth' }, { ...result, is_error: true, subtype: 'error' }, failed],
    [start, { ...result, is_error: true, subtype: 'error' }, done],
    [start, { type: 'unheard-of' }, result, done],
    [start, { ...usage, input_tokens: 3 }, result, { ...done, totals: { input_tokens: 4 } }],
  ];
  for (const stream of bad) assert.is.not(orderFault(stream), null, JSON.stringify(stream));
});

test('reads lines like a statically typed host', () => {
  assert.is(readFlat('{"v":1,"type":"done","exit_code":0,"new":{"x":[1.5e3,"\\u2028"]}}')?.number('exit_code'), 0);
  assert.is(readFlat('{"v":1,"type":"usage","input_tokens":null,"cost_usd":1e-7}')?.number('cost_usd'), 1e-7);
  assert.is(readFlat('{"v":1,"type":"tool_call","args":{"a":[1]}}')?.value('args')?.is, 'object');
});

test('loses a line in which one field has another type', () => {
  for (const line of [
    'plain text',
    ' {"v":1,"type":"done"}',
    '{"v":1,"type":"done","exit_code":0.0}',
    '{"v":1,"type":"done","exit_code":1e2}',
    '{"v":1,"type":"done","exit_code":"0"}',
    '{"v":1,"type":"assistant","text":["hi"]}',
    '{"v":1,"type":"tool_result","result":"hi"}',
    '{"v":1,"type":"tool_result","result":{"text":1}}',
    '{"v":1,"type":"start","pid":12',
    '{"v":1,"type":"start"} trailing',
  ]) {
    assert.is(readFlat(line), null, line);
  }
});

test.run();
