/** From a native line written to our line readable. Both clocks are the machine's one monotonic clock. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { lineSplitter } from '../../src/text/lines.js';
import { type Figure, ms, type Row, skipped } from '../figure.js';
import { place, standIn, turn } from '../place.js';
import { median, quantile } from '../timing.js';

const TICKS = 500;
const STAMP = /" (\d+);"/;

/** Milliseconds from each stamp to the moment its line was here. */
function delays(argv: readonly string[], env: Record<string, string>): Promise<number[]> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const found: number[] = [];
  const lines = lineSplitter({
    max: 1 << 20,
    onLine(line) {
      const now = process.hrtime.bigint();
      const stamp = STAMP.exec(line)?.[1];
      if (stamp !== undefined) found.push(Number(now - BigInt(stamp)) / 1e6);
      if (line.includes('"type":"result"')) child.stdin.end();
    },
  });
  child.stdout.on('data', lines.push);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(found));
  });
}

export const latency: Row = {
  id: 'latency',
  async measure({ root }): Promise<Figure[]> {
    const what = 'added latency: native line written → our line readable';
    if (process.platform !== 'linux') return [skipped(what, 'Linux only: elsewhere two programs have two clocks')];
    const { env, folder } = place();
    const agent = [process.execPath, join(root, 'bench', 'agents', 'ticks.mjs'), String(TICKS)];
    const ours = { ...env, CLAUDE_CLI_BIN: standIn(folder, 'claude', agent) };
    const pipe: number[] = [];
    const through: number[] = [];
    for (let run = 0; run < 3; run++) {
      pipe.push(...(await delays(agent, env)));
      through.push(...(await delays(turn(root, 'claude'), ours)));
    }
    const added = (part: number) => quantile(through, part) - quantile(pipe, part);
    const note = `a pipe alone: ${ms(median(pipe))} median, ${ms(quantile(pipe, 0.99))} p99; ${through.length} lines`;
    return [
      { what: `${what}, median`, value: added(0.5), shown: ms(added(0.5)), most: 0.5, target: '≤ 0.5 ms', note },
      { what: `${what}, p99`, value: added(0.99), shown: ms(added(0.99)), most: 3, target: '≤ 3 ms' },
    ];
  },
};
