/** The most memory our process takes. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, type Figure, mib, type Row } from '../figure.js';
import { type Place, place, standIn, turn } from '../place.js';
import { median, take } from '../timing.js';

const GIB = 2 ** 30;
const DELTA = 1000;

/**
 * Written by the process itself at its exit, KiB. Linux counts what the parent had at the fork into `maxRSS`, and that is
 * ours here; the high-water mark of the process's own memory has none of it.
 */
const PROBE = `process.on('exit', () => {
  const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  const status = '/proc/self/status';
  const own = existsSync(status) ? /^VmHWM:\\s*(\\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  writeFileSync(process.env.PEAK_FILE, own ?? String(process.resourceUsage().maxRSS));
});`;

/** Bytes. */
async function peak({ env, folder }: Place, argv: readonly string[]): Promise<number> {
  const [node = '', ...rest] = argv;
  const file = join(folder, 'peak');
  const probe = join(folder, 'probe.cjs');
  writeFileSync(probe, PROBE);
  await take({ argv: [node, '--require', probe, ...rest], env: { ...env, PEAK_FILE: file } });
  return Number(readFileSync(file, 'utf8')) * 1024;
}

async function ofText(bench: Bench, here: Place): Promise<number> {
  const peaks: number[] = [];
  for (let run = 0; run < Math.min(bench.runs, 15); run++) peaks.push(await peak(here, turn(bench.root, 'demo')));
  return median(peaks);
}

export const memory: Row = {
  id: 'memory',
  async measure(bench): Promise<Figure[]> {
    const here = place();
    const text = await ofText(bench, here);
    const program = join(bench.root, 'fixtures', 'bin', 'streams-deltas.js');
    const deltas = Math.ceil(GIB / (DELTA + 150));
    const agent = standIn(here.folder, 'claude', [process.execPath, program, String(DELTA), String(deltas)]);
    const there = { ...here, env: { ...here.env, CLAUDE_CLI_BIN: agent } };
    const stream = await peak(there, turn(bench.root, 'claude'));
    return [
      {
        what: 'exec: peak memory of a text turn',
        value: text / 2 ** 20,
        shown: mib(text),
        most: 60,
        target: '≤ 60 MiB',
      },
      {
        what: 'exec: the same while 1 GiB of deltas passes',
        value: (stream - text) / 2 ** 20,
        shown: `+${mib(stream - text)}`,
        most: 32,
        target: '+32 MiB at most',
        note: mib(stream),
      },
    ];
  },
};
