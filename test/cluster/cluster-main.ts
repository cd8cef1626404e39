/** `npm run cluster -- [--turns 300] [--workers 4] [--seed 1] [--many 1000] [--every MS] [--engine redis|postgres]`. */

import { dice, numberOf } from '../faults/random.js';
import { chaos } from './chaos.js';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { fairness } from './fairness.js';
import { hasPostgres, POSTGRES_SKIPPED, servePostgres } from './postgres.js';

/** Milliseconds between two misfortunes. */
const EVERY_MS = 1500;
/** Turns of the caller with few, and how many turns they may wait. */
const FEW = 10;
const MOST_TURNS = 2;

const shown = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ') || 'none';

const ENGINES = {
  redis: { there: hasRedis, missing: SKIPPED, serve: () => serveRedis() },
  postgres: { there: hasPostgres, missing: POSTGRES_SKIPPED, serve: servePostgres },
};

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const turns = numberOf(args, 'turns', 300);
  const workers = numberOf(args, 'workers', 4);
  const many = numberOf(args, 'many', 1000);
  const seed = numberOf(args, 'seed', 1);
  const only = args.includes('--engine') ? args[args.indexOf('--engine') + 1] : undefined;
  let passed = 0;
  let failed = 0;
  const tell = (ok: boolean, what: string): void => {
    if (ok) passed += 1;
    else failed += 1;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}`);
  };
  for (const [name, { there, missing, serve }] of Object.entries(ENGINES)) {
    if (only !== undefined && only !== name) continue;
    if (!there()) {
      console.log(missing);
      continue;
    }
    const served = await serve();
    try {
      const ran = await chaos(served, {
        turns,
        workers,
        everyMs: numberOf(args, 'every', EVERY_MS),
        random: dice(seed),
      });
      const wrong = Object.values(ran.faults).reduce((sum, one) => sum + one, 0);
      console.log(`     ${name}: ${turns} turns on ${workers} workers in ${ran.seconds} s: ${shown(ran.ends)}`);
      console.log(`     misfortunes: ${shown(ran.misfortunes)}`);
      tell(wrong === 0, `${name}, chaos: ${shown(ran.faults)}`);
      const { p95, before } = await fairness(served.url, many, FEW);
      const waited = `p95 of the wait is ${p95.toFixed(2)} turns, after ${before} of the other caller's turns`;
      tell(p95 <= MOST_TURNS, `${name}, fairness: ${FEW} turns beside ${many} of another caller: ${waited}`);
    } finally {
      await served.stop();
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
