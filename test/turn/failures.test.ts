/** What people read when a runtime was not let in, or tried too often. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import type { Credential } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import { stage } from './stage.js';

const of = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);

test('who used a key of a variable is told which, since it outranks the login', async () => {
  const failed: Action = { do: 'finish', outcome: { ok: false, code: 'auth', message: 'The key is invalid' } };
  const told = async (credential: Credential) => {
    const on = await stage({ machine: { credential } });
    on.act(failed);
    on.exit(1);
    await on.turn.done;
    const [error] = of(on.events, 'error');
    assert.is(error?.hint, 'agent login');
    return error?.message;
  };
  assert.is(
    await told({ kind: 'api_key', source: 'AGENT_KEY' }),
    'The key is invalid. It used the key in AGENT_KEY: set a valid one, or unset it and run: agent login',
  );
  const file = 'The key is invalid. Run: agent login';
  assert.is(await told({ kind: 'login', source: '/home/user/.agent/login.json' }), file);
  assert.is(await told({ kind: 'unknown' }), file);
});

test('a retry after an auth failure, and the fourth of any kind, end the turn', async () => {
  const retry = (attempt: number, code: 'auth' | 'rate-limited'): Action => ({
    do: 'retrying',
    attempt,
    max: 10,
    delayMs: 100,
    code,
    message: 'again',
    why: 'The model service answered 401.',
  });
  const auth = await stage();
  auth.act(retry(1, 'auth'));
  auth.exit(1);
  assert.is(await auth.turn.done, 1);
  assert.is(of(auth.events, 'error')[0]?.code, 'auth');
  assert.is(of(auth.events, 'error')[0]?.message, 'The model service answered 401. Run: agent login');
  const rate = await stage();
  rate.act(retry(1, 'rate-limited'), retry(2, 'rate-limited'), retry(3, 'rate-limited'));
  assert.is(rate.heard.at(-1)?.type, 'line');
  rate.act(retry(4, 'rate-limited'));
  rate.exit(1);
  assert.is(await rate.turn.done, 1);
  assert.is(of(rate.events, 'error')[0]?.code, 'rate-limited');
  assert.is(of(rate.events, 'status').length, 4);
});

test('a runtime that stops at its own limit of rounds without a word is told with that reason', async () => {
  for (const [stopReason, words] of [
    ['max_turns', 'test ended without an answer: it had reached its limit of rounds'],
    ['end_turn', 'test ended without an answer'],
  ] as const) {
    const on = await stage();
    on.act({ do: 'finish', outcome: { ok: true, stopReason } });
    on.exit();
    assert.is(await on.turn.done, 1);
    assert.is(of(on.events, 'error')[0]?.message, words);
  }
});

test.run();
