/** Turns of the real program that fail, retry or stop short, as recorded, through the whole translator. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { answer, HELLO, only, played } from './claude-fixtures.js';
import { begun, ok, start, stop } from './claude-lines.js';
import { hearAll, lines } from './drive.js';

test('an answer that begins again says what it replaces', async () => {
  for (const name of ['retry-drop', 'old-drop']) {
    const { events, exitCode } = await played(name);
    assert.is(answer(events), HELLO, name);
    assert.ok(
      only(events, 'assistant').some((event) => event.replaces !== undefined),
      name,
    );
    assert.is(only(events, 'result')[0]?.text, HELLO, name);
    assert.is(exitCode, 0, name);
  }
});

test('retries are shown with their number, wait and cause', async () => {
  const { events } = await played('retry-529');
  const retries = only(events, 'status').map((event) => event.retry);
  assert.equal(
    retries.map((retry) => [retry?.attempt, retry?.max, retry?.code]),
    [
      [1, 3, 'runner-error'],
      [2, 3, 'runner-error'],
    ],
  );
  assert.ok(retries.every((retry) => Number.isInteger(retry?.delay_ms)));
});

test('a plan that is used up says when it is there again', async () => {
  const { events } = await played('plan-limit');
  assert.is(only(events, 'error')[0]?.resets_at, '2026-11-30T12:21:28.000Z');
  assert.is(only((await played('error-429')).events, 'error')[0]?.resets_at, undefined);
});

test('a conversation that no longer fits is context-full, whatever status says it', () => {
  for (const more of [{ api_error_status: 400 }, { api_error_status: 413 }, {}]) {
    const turn = begun();
    const actions = hearAll(
      turn,
      lines({ type: 'result', subtype: 'success', is_error: true, result: 'Prompt is too long', ...more }),
    );
    const end = actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];
    assert.is(end !== undefined && !end.ok && end.code, 'context-full');
  }
});

test('a version without modelUsage tells tokens and cost by its sums', () => {
  const spent = (...said: JsonObject[]) => {
    const all = hearAll(begun(), lines(...said)).flatMap((action) => (action.do === 'spend' ? [action.spent] : []));
    return all.at(-1);
  };
  const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 7 };
  assert.equal(spent(ok({ usage, total_cost_usd: 0.02 })), { input: 115, output: 7, cached: 100, costUsd: 0.02 });
  // Of subagents only the stream tells.
  const streamed = spent(
    start('m1'),
    start('m2'),
    stop(),
    ok({ usage: { input_tokens: 5, output_tokens: 1 }, total_cost_usd: 0.1 }),
  );
  assert.equal(streamed, { input: 10, output: 2, cached: 0, costUsd: 0.1 });
  assert.is(spent(ok({ usage: { input_tokens: 0, output_tokens: 0 }, total_cost_usd: 0 })), undefined);
});

test('every way to fail has its code, and error text is never an answer', async () => {
  const codes = {
    'error-401': 'auth',
    'no-login': 'auth',
    'error-404': 'model-unavailable',
    'error-429': 'rate-limited',
    'plan-limit': 'quota',
    'error-quota': 'quota',
    'error-500': 'runner-error',
    empty: 'runner-error',
    budget: 'budget',
    'resume-unknown': 'session-not-found',
    'resume-no-id': 'session-not-found',
  };
  for (const [name, code] of Object.entries(codes)) {
    const { events, exitCode } = await played(name);
    assert.is(only(events, 'error')[0]?.code, code, name);
    assert.is(exitCode, 1, name);
    assert.is(only(events, 'result').length, 0, name);
    if (name !== 'budget') assert.is(answer(events), '', name);
  }
});

test('a login that is missing names the command', async () => {
  const [error] = only((await played('no-login')).events, 'error');
  assert.is(error?.hint, 'claude auth login');
  assert.match(error?.message ?? '', /^Not logged in · Please run \/login/);
});

test('a refusal and a token limit are ways to end, not errors', async () => {
  const refusal = await played('refusal');
  assert.is(only(refusal.events, 'result')[0]?.stop_reason, 'refusal');
  assert.is(refusal.exitCode, 0);
  assert.not.ok(answer(refusal.events).includes('API Error'));
  const cut = await played('max-tokens');
  assert.is(only(cut.events, 'result')[0]?.stop_reason, 'max_tokens');
  assert.is(cut.exitCode, 0);
});

test.run();
