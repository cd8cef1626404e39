import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { announcedAttempt } from '../../runners/dialects/attempts.js';
import gemini from '../../runners/gemini/index.js';
import type { Machine } from '../../src/runner/machine.js';
import { isRefusal } from '../../src/runner/runner.js';
import { play } from './acp-play.js';
import { machine, request } from './drive.js';

function started(here: Partial<Machine> = {}) {
  const invocation = gemini.invoke(request(), machine(here));
  if (isRefusal(invocation)) throw new Error(invocation.message);
  return invocation;
}
const turn = () => play(gemini.converse(request(), machine()));

test('a retry that stderr alone announces is told with its cause and its wait', () => {
  const told = [
    'Attempt 1 failed with status 429. Retrying with backoff...',
    'Attempt 2 failed with 429 error (no Retry-After header). Retrying with backoff...',
    'Attempt 3 failed with 5xx error. Retrying with backoff...',
    'Attempt 4 failed: Quota exceeded. Retrying after 2000ms...',
    'Attempt 5 failed with status 503. Retrying in 60s...',
    'Attempt 6 failed with status unknown. Retrying after explicit delay of 500ms...',
    'Attempt 7 failed. Retrying with backoff...',
    'Attempt 8 failed: Resource has been exhausted (e.g. check quota).',
    'Attempt 9 failed.',
    '[2026-11-30T23:14:42.122Z] [WARN] Attempt 1 failed with status 500. Retrying with backoff... _ApiError: {}',
    '[qwen-code] Waiting for API capacity... attempt 7, retry in 120s',
    'I said: Attempt 9 failed with status 429. Retrying with backoff...',
  ].map((line) => announcedAttempt('Gemini CLI', line));
  assert.equal(
    told.map((retry) => retry && [retry.attempt, retry.delayMs, retry.code]),
    [
      [1, null, 'rate-limited'],
      [2, null, 'rate-limited'],
      [3, null, 'runner-error'],
      [4, 2000, 'rate-limited'],
      [5, 60_000, 'runner-error'],
      [6, 500, null],
      [7, null, null],
      [8, null, 'rate-limited'],
      null,
      [1, null, 'runner-error'],
      [7, 120_000, 'rate-limited'],
      null,
    ],
  );
});

test('its retries are read from its log, unless the user has named a file for it', () => {
  const own = started();
  assert.equal(own.env['GEMINI_DEBUG_LOG_FILE'], { file: 'log' });
  assert.ok(own.log?.lines.test('[2026-11-30T23:14:42.122Z] [WARN] Attempt 1 failed: Quota exceeded.'));
  assert.not.ok(own.log?.lines.test('[2026-11-30T23:14:42.122Z] [DEBUG] the prompt says: Attempt 1 failed'));
  const theirs = started({ envNames: new Set(['GEMINI_DEBUG_LOG_FILE']) });
  assert.is(theirs.log, undefined);
  assert.is(theirs.env['GEMINI_DEBUG_LOG_FILE'], undefined);
});

const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const HALF = ['The first half of an answer, ', 'which is long enough, '];
const end = { stopReason: 'end_turn' };

test('an answer that begins again in the same message replaces what was said of it', () => {
  const one = turn();
  one.open();
  for (const text of [...HALF, ...HALF, 'and the second.']) one.update(chunk(text));
  one.answer('session/prompt', end);
  const said = one.said().flatMap((event) => (event.type === 'assistant' ? [event] : []));
  assert.equal(
    said.map((event) => [event.text, event.message_id, event.replaces]),
    [
      [HALF[0], 'm1', undefined],
      [HALF[1], 'm1', undefined],
      [HALF.join(''), 'm2', 'm1'],
      ['and the second.', 'm2', 'm1'],
    ],
  );
});

test('text that only resembles its beginning, and a repeat of a few words, stay as they are', () => {
  for (const texts of [
    [...HALF, HALF[0] ?? '', 'and it differs here.'],
    [...HALF, HALF[0] ?? ''],
    ['ha ', 'ha ', 'ha '],
  ]) {
    const one = turn();
    one.open();
    for (const text of texts) one.update(chunk(text));
    one.answer('session/prompt', end);
    const said = one.said().flatMap((event) => (event.type === 'assistant' ? [event] : []));
    assert.is(said.map((event) => event.text).join(''), texts.join(''));
    assert.ok(said.every((event) => event.replaces === undefined && event.message_id === 'm1'));
  }
});

test('what a tool came between is no repeat', () => {
  const one = turn();
  one.open();
  for (const text of HALF) one.update(chunk(text));
  one.update({ sessionUpdate: 'tool_call', toolCallId: 'ls-1', title: 'ls', status: 'in_progress', kind: 'execute' });
  one.update({ sessionUpdate: 'tool_call_update', toolCallId: 'ls-1', status: 'completed' });
  for (const text of HALF) one.update(chunk(text));
  one.answer('session/prompt', end);
  assert.ok(one.said().every((event) => event.type !== 'assistant' || event.replaces === undefined));
});

test.run();
