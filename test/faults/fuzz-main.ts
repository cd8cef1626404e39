/** `npm run fuzz -- --runs 20000 [--seed N]`. */

import { PROPERTIES } from './fuzz.js';
import { numberOf } from './random.js';

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const runs = numberOf(args, 'runs', 20_000);
  const seed = args.includes('--seed') ? numberOf(args, 'seed', 0) : undefined;
  let wrong = 0;
  for (const { name, share, check } of PROPERTIES) {
    const began = performance.now();
    const each = Math.max(1, Math.round(runs * share));
    try {
      await check(each, seed);
      console.log(`${name}: ${each} runs, ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      wrong++;
      console.log(
        `${name}: ${error instanceof Error ? `${error.message}\n${String(error.cause)}`.slice(0, 4000) : String(error)}`,
      );
    }
  }
  console.log(`${PROPERTIES.length - wrong} properties hold, ${wrong} do not`);
  return wrong === 0 ? 0 : 1;
}
