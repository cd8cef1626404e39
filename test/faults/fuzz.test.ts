// limit: 120s
// Each property a few times, with new numbers on every run; `npm run fuzz -- --runs 20000` runs them at length.
import { suite } from 'uvu';
import { PROPERTIES } from './fuzz.js';

const test = suite('fuzz');
const RUNS = 400;

for (const { name, share, check } of PROPERTIES) {
  test(name, async () => {
    try {
      await check(Math.round(RUNS * share), undefined);
    } catch (error) {
      // The cause is what failed; the message has the seed that repeats it.
      throw error instanceof Error ? new Error(`${String(error.cause)}\n${error.message}`) : error;
    }
  });
}

test.run();
