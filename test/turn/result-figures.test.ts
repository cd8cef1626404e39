/** Figures of `result` that a runtime tells in its own way: hosts read tokens as integers. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ModelUsage } from '../../src/contract/event.js';
import { resultEvent } from '../../src/turn/final.js';

const result = (modelUsage: Record<string, ModelUsage>, peakContextTokens: number) =>
  resultEvent({
    stopReason: 'end_turn',
    outcome: { ok: true, stopReason: 'end_turn', modelUsage, peakContextTokens },
    final: { text: 'hello', cut: false },
    incremental: true,
    totals: { input_tokens: null, output_tokens: null, cached_tokens: null, cost_usd: null },
    launches: { total: 0, review: 0 },
    requestedModel: null,
    models: new Set(),
  });

test('fractions of tokens are cut off', () => {
  const told = result({ m: { input: 3.7, output: 2, cache_read: 0.2, cache_creation: 0 } }, 7.9);
  assert.equal(told.model_usage, { m: { input: 3, output: 2, cache_read: 0, cache_creation: 0 } });
  assert.is(told.peak_context_tokens, 7);
});

test('what can not be a count is left out', () => {
  const told = result({ m: { input: -1, output: 2, cache_read: 0, cache_creation: 0 } }, Number.NaN);
  assert.not.ok('model_usage' in told);
  assert.not.ok('peak_context_tokens' in told);
});

test.run();
