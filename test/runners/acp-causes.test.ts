/** Why a turn of any ACP agent failed: from structured errors, and from what it prints when it says nothing else. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { customAgent } from '../../runners/dialects/acp/custom.js';
import { acp } from '../../runners/dialects/acp/index.js';
import type { Json } from '../../src/contract/vocabulary.js';
import { play } from './acp-play.js';
import { machine, request } from './drive.js';

const failed = (code: number, message: string, data?: Json) => {
  const on = play(acp(request(), machine(), { quirks: { title: 'Agent', mcpNames: [] } }));
  on.open();
  on.refuse('session/prompt', code, message, data);
  const outcome = on.outcome();
  if (outcome === undefined || outcome.ok) throw new Error('expected a failure');
  return outcome;
};

test('a word for the kind decides, however it is written and wherever it lies', () => {
  assert.is(failed(-32603, 'Internal error', { codexErrorInfo: 'usageLimitExceeded' }).code, 'quota');
  assert.is(failed(-32603, 'Internal error', { errorKind: 'rate_limit' }).code, 'rate-limited');
  assert.is(failed(-32603, 'Internal error', { error: { type: 'authentication_error' } }).code, 'auth');
  assert.is(
    failed(-32603, 'Internal error', { details: '{"error":{"code":"context_length_exceeded"}}' }).code,
    'context-full',
  );
  assert.is(failed(-32603, '{"error":{"code":"insufficient_quota"}}').code, 'quota');
});

test('a status decides where no word does, and a sentence says more than -32000', () => {
  assert.is(failed(-32603, 'Internal error', { statusCode: 429 }).code, 'rate-limited');
  assert.is(failed(429, 'slow down').code, 'rate-limited');
  assert.is(failed(-32000, 'Authentication required').code, 'auth');
  assert.is(failed(-32000, 'You have hit your usage limit').code, 'quota');
  assert.is(failed(-32603, 'Internal error: Insufficient credits').code, 'quota');
  assert.is(failed(-32603, 'Internal error').code, 'runner-error');
});

test('when to try again comes with it', () => {
  const soon = failed(-32603, 'Internal error', { errorKind: 'rate_limit', retry_after: 7 });
  assert.is(soon.retryAfterMs, 7000);
  const later = failed(-32603, 'Internal error', { errorKind: 'usage_limit_exceeded', resetsAt: 1_796_041_288 });
  assert.is(later.resetsAt, 1_796_041_288_000);
  assert.is(
    failed(-32603, 'x', { errorKind: 'rate_limit', resets_at: '2026-12-01T00:00:00Z' }).resetsAt,
    '2026-12-01T00:00:00Z',
  );
});

test('acp: runtimes have them without a runner of their own', () => {
  const on = play(customAgent(['some-agent']).converse(request(), machine()));
  on.open();
  on.refuse('session/prompt', -32603, 'Internal error', { message: 'You have hit your usage limit.' });
  const outcome = on.outcome();
  assert.is(outcome !== undefined && !outcome.ok && outcome.code, 'quota');
});

test.run();
