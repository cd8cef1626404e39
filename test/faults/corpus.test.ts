// limit: 300s
// The corpus of faults at its small size; `npm run faults` runs it in full and prints a table.
import { suite } from 'uvu';
import { FAULTS } from './corpus.js';
import { judge } from './judge.js';

const test = suite('faults of a runtime');
const [plain, ...others] = FAULTS;

let peak: number | null = null;

for (const fault of [...(plain ? [plain] : []), ...others]) {
  test(fault.name, async () => {
    if (process.platform !== 'linux') return console.log('SKIPPED: the fake agents are started by a shell script');
    const { end, wrong } = await judge(fault, 'small', peak);
    if (fault === plain) peak = end.peak;
    if (wrong !== null)
      throw new Error(
        `${wrong}\n${end.events
          .map((event) => JSON.stringify(event))
          .join('\n')
          .slice(-3000)}`,
      );
  });
}

test.run();
