// limit: 180s
// After a wanted change: TURNOUT_UPDATE_GOLDEN=1 node test/run.js test/contract/golden.test.ts, then read the diff.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstDifference, goldenFile, readGolden, runScenario } from './golden.js';
import { orderFault } from './order.js';
import { SCENARIOS } from './scenarios.js';
import { checkEvent } from './schema-files.js';

const test = suite('golden streams');
const update = process.env['TURNOUT_UPDATE_GOLDEN'] === '1';

for (const scenario of SCENARIOS) {
  test(`${scenario.name}: the stream is the kept one, in order, by the schema, with exit code ${scenario.exit}`, async () => {
    const { ended, text } = await runScenario(scenario);
    assert.is(ended.code, scenario.exit, ended.stderr);
    for (const [i, event] of ended.events.entries()) assert.is(checkEvent(event), null, ended.lines[i]);
    assert.is(ended.lines.length, ended.events.length, 'every line is an object');
    assert.is(orderFault(ended.events), null, ended.lines.join('\n'));
    if (update) writeFileSync(goldenFile(scenario.name), text);
    const kept = readGolden(scenario.name);
    if (kept !== text) assert.unreachable(firstDifference(kept, text));
  });
}

test('no golden stream is left without a scenario', () => {
  const kept = readdirSync(join(goldenFile('x'), '..')).filter((name) => name.endsWith('.ndjson'));
  assert.equal(kept.sort(), SCENARIOS.map(({ name }) => `${name}.ndjson`).sort());
});

test.run();
