/** `npm run chaos -- --kills 200 [--seed 1]`. */

import { CHECKS, chaos } from './chaos.js';
import { STORAGE } from './chaos-storage.js';
import { dice, numberOf } from './random.js';

const SHOWN = 5;

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const kills = numberOf(args, 'kills', 200);
  const seed = numberOf(args, 'seed', 1);
  let passed = 0;
  let failed = 0;
  const tell = (name: string, wrong: readonly string[], note = '') => {
    if (wrong.length === 0) passed += 1;
    else failed += 1;
    console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${name}${note}`);
    for (const one of wrong.slice(0, SHOWN)) console.log(`     ${one}`);
    if (wrong.length > SHOWN) console.log(`     … and ${wrong.length - SHOWN} more`);
  };
  const killing = chaos();
  const { tally } = killing;
  while (tally.kills < kills) {
    // Each round has dice of its own: `--seed N --kills 1` repeats the first of them.
    await killing.round(dice(seed + tally.kills));
    const wrong = [...tally.faults.values()].flat().length;
    if (tally.kills % 20 === 0) console.log(`     ${tally.kills} kills, ${tally.entries} entries, ${wrong} faults`);
  }
  await killing.end();
  console.log(
    `     ${tally.kills} kills: ${tally.runs} runs, ${tally.entries} entries that were told, ${tally.keys} keys`,
  );
  for (const [name, fault] of Object.entries(CHECKS)) {
    const wrong = tally.faults.get(fault) ?? [];
    tell(name, wrong, `: ${wrong.length} faults`);
  }
  for (const [name, check] of STORAGE) {
    const wrong = await check();
    if (wrong !== null && 'skipped' in wrong) console.log(`skip ${name}: ${wrong.skipped}`);
    else tell(name, wrong === null ? [] : [wrong.fault]);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
