/** `npm run faults [-- --small] [NAME…]`: runs the corpus and prints a table. */

import { FAULTS } from './corpus.js';
import { judge, type Verdict } from './judge.js';

function row(cells: readonly string[]): string {
  const widths = [40, 5, 18, 8, 10, 5, 9];
  return cells
    .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
    .join(' ');
}

function tell({ fault, end, code, wrong }: Verdict): void {
  const peak = end.peak === null ? '-' : `${(end.peak / 1024).toFixed(0)} MiB`;
  const figures = [String(end.exit ?? end.signal), code ?? '-', end.seconds.toFixed(1), String(end.survivors)];
  console.log(row([fault.name, ...figures, String(end.temp), peak]));
  if (wrong === null) return;
  console.log(`  WRONG: ${wrong}`);
  for (const event of end.events.slice(-4)) console.log(`    ${JSON.stringify(event).slice(0, 300)}`);
  if (end.stderr !== '') console.log(`    ${end.stderr.slice(-500)}`);
}

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const size = args.includes('--small') ? 'small' : 'full';
  const names = args.filter((arg) => !arg.startsWith('--'));
  const [plain, ...others] = FAULTS;
  if (!plain) return 1;
  const chosen = others.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  console.log(row(['fault', 'exit', 'error', 'seconds', 'survivors', 'temp', 'peak']));
  const first = await judge(plain, size, null);
  tell(first);
  let wrong = first.wrong === null ? 0 : 1;
  for (const fault of chosen) {
    const verdict = await judge(fault, size, first.end.peak);
    tell(verdict);
    if (verdict.wrong !== null) wrong++;
  }
  console.log(`${chosen.length + 1 - wrong} as they must, ${wrong} not`);
  return wrong === 0 ? 0 : 1;
}
