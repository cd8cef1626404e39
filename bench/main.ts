/** `npm run bench`: measures, prints a table and writes docs/performance.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, type Row, skipped } from './figure.js';
import { removePlaces } from './place.js';
import { asPage, forTerminal } from './report.js';
import { claude } from './rows/claude.js';
import { cluster } from './rows/cluster.js';
import { cpu } from './rows/cpu.js';
import { install } from './rows/install.js';
import { latency } from './rows/latency.js';
import { memory } from './rows/memory.js';
import { peer } from './rows/peer.js';
import { scan } from './rows/scan.js';
import { server } from './rows/server.js';
import { starts } from './rows/starts.js';
import { translate } from './rows/translate.js';
import { wasCutShort } from './timing.js';

const ROWS: readonly Row[] = [starts, cpu, scan, claude, translate, latency, memory, server, cluster, install, peer];
const RUNS = 21;
const LEAST = 15;

async function figuresOf(row: Row, root: string, runs: number): Promise<Figure[]> {
  try {
    return await row.measure({ root, runs });
  } catch (error) {
    return [skipped(row.id, error instanceof Error ? error.message : String(error))];
  } finally {
    removePlaces();
  }
}

/** @returns the exit code: 2 when the command line is wrong; a missed target is told, not failed: test/bench guards */
export async function main(argv: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { only: { type: 'string' }, runs: { type: 'string' }, dry: { type: 'boolean' } },
  });
  const only = values.only?.split(',');
  const runs = values.runs === undefined ? RUNS : Number(values.runs);
  const unknown = only?.find((id) => !ROWS.some((row) => row.id === id));
  if (unknown !== undefined || !(runs >= 1)) {
    console.error(`usage: npm run bench -- [--only ${ROWS.map(({ id }) => id).join(',')}] [--runs N] [--dry]`);
    return 2;
  }
  const figures: Figure[] = [];
  for (const row of ROWS) {
    if (only && !only.includes(row.id)) continue;
    const measured = await figuresOf(row, root, runs);
    console.log(forTerminal(measured));
    figures.push(...measured);
  }
  if (only || runs < LEAST || values.dry || wasCutShort()) {
    console.log(`docs/performance.md is left as it is: it takes all groups and ${LEAST} rounds of each`);
    return 0;
  }
  const tried = readFileSync(join(root, 'bench', 'tried.md'), 'utf8');
  writeFileSync(join(root, 'docs', 'performance.md'), asPage(figures, Math.min(runs, LEAST), new Date(), tried));
  return 0;
}
