/** Turns of the real program that fail, retry or stop short, as recorded, through the whole translator. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { answer, HELLO, only, played } from './claude-fixtures.js';

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
