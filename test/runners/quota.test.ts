/** What claude 2.1.332 and codex 0.171.0 say of their plans, and what is made of it. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import codex from '../../runners/codex/index.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Runner } from '../../src/runner/runner.js';

const read = (runner: Runner, ...lines: JsonObject[]) =>
  runner.quota?.read(
    lines.map((line) => JSON.stringify(line)),
    false,
  );
const usage = (response: JsonObject): JsonObject => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'turnout-usage', response },
});

test('claude: the windows of a plan with their use and reset; none with an API key', () => {
  const five_hour = { utilization: 41, resets_at: '2026-12-01T03:00:00Z' };
  const model_scoped = [{ display_name: 'Fable', utilization: null, resets_at: null }];
  assert.is(read(claude, { type: 'control_response', response: { request_id: 'turnout-hello' } }), null);
  const told = usage({
    subscription_type: 'max',
    rate_limits_available: true,
    rate_limits: { five_hour, seven_day: null, model_scoped },
  });
  assert.equal(read(claude, told), [
    {
      plan: 'max',
      windows: [
        { name: '5 hours', usedPercent: 41, resetsAt: '2026-12-01T03:00:00Z' },
        { name: '7 days, Fable', usedPercent: null, resetsAt: null },
      ],
    },
  ]);
  assert.equal(read(claude, usage({ subscription_type: null, rate_limits_available: false, rate_limits: null })), []);
});

test('codex: every limit of the account; none without a ChatGPT login', () => {
  const primary = { usedPercent: 12, windowDurationMins: 300, resetsAt: 1_796_041_288 };
  const secondary = { usedPercent: 80, windowDurationMins: 10_080, resetsAt: null };
  const rateLimits = { limitId: 'codex', limitName: null, planType: 'plus', primary, secondary };
  const told = { id: 2, result: { rateLimits, rateLimitsByLimitId: { codex: rateLimits } } };
  assert.equal(read(codex, { id: 1, result: {} }), null);
  assert.equal(read(codex, told), [
    {
      plan: 'plus',
      windows: [
        { name: '5 hours', usedPercent: 12, resetsAt: 1_796_041_288_000 },
        { name: '7 days', usedPercent: 80, resetsAt: null },
      ],
    },
  ]);
  const message = 'codex account authentication required to read rate limits';
  assert.equal(read(codex, { id: 2, error: { code: -32600, message } }), []);
});

test.run();
