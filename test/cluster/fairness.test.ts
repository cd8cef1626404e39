// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { fairness } from './fairness.js';

test('a caller with few turns does not wait for those of a caller with many', async () => {
  if (!hasRedis()) return console.log(SKIPPED);
  const served = await serveRedis();
  const { before } = await fairness(served.url, 200, 10);
  await served.stop();
  // In the order in which they came, all 200 would have been first.
  assert.ok(before < 100, `${before} turns of the other caller ended first`);
});
test.run();
