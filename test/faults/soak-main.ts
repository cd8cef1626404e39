/** `npm run soak -- --turns 1000 [--seed 1] [--together 2]`. */

import { dice, numberOf } from './random.js';
import { type SoakTurn, soakTurn } from './soak.js';

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const turns = numberOf(args, 'turns', 1000);
  const seed = numberOf(args, 'seed', 1);
  const together = numberOf(args, 'together', 2);
  const counts = new Map<string, { turns: number; wrong: number }>();
  let next = 0;
  let wrong = 0;
  const tell = ({ victim, prompt, wrong: what }: SoakTurn, number: number) => {
    const row = counts.get(victim) ?? { turns: 0, wrong: 0 };
    row.turns++;
    if (what !== null) {
      row.wrong++;
      wrong++;
      console.log(`turn ${number} (${victim} killed, ${JSON.stringify(prompt.slice(0, 60))}): ${what}`);
    }
    counts.set(victim, row);
    if (number % 50 === 0) console.log(`${number} of ${turns}, ${wrong} wrong`);
  };
  const worker = async () => {
    // Each turn has dice of its own: `--seed N --turns 1` repeats one.
    while (next < turns) {
      const number = next++;
      tell(await soakTurn(dice(seed + number)), number + 1);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  console.log('killed            turns  wrong');
  for (const [victim, row] of counts)
    console.log(`${victim.padEnd(17)} ${String(row.turns).padStart(5)} ${String(row.wrong).padStart(6)}`);
  console.log(`${turns - wrong} turns ended as they must, ${wrong} did not (seed ${seed})`);
  return wrong === 0 ? 0 : 1;
}
