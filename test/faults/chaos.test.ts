// limit: 300s
// A few rounds of what `npm run chaos` does two hundred times.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chaos } from './chaos.js';
import { STORAGE } from './chaos-storage.js';
import { dice } from './random.js';

const test = suite('chaos');

test('servers that are killed under eight callers lose nothing that was told', async () => {
  const killing = chaos();
  for (let seed = 1; seed <= 4; seed++) await killing.round(dice(seed));
  await killing.end();
  assert.equal([...killing.tally.faults], []);
  assert.ok(killing.tally.entries > 0 && killing.tally.keys > 0);
});

for (const [name, check] of STORAGE)
  test(name, async () => {
    const verdict = await check();
    if (verdict !== null && 'skipped' in verdict) return console.log(`SKIPPED: ${verdict.skipped}`);
    assert.is(verdict, null);
  });

test.run();
