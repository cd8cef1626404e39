/** Processor time of a whole turn: all of ours, without the program that answers. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../test/run-program.js';
import { type Figure, type Row, skipped } from '../figure.js';
import { place, turn } from '../place.js';
import { median, take } from '../timing.js';

const WHAT = 'exec: processor time of a whole demo turn, over the demo program’s own';
/** User and system time of a command and all that it waited for, in seconds. */
const TIMED = 'TIMEFORMAT="%3U %3S"; { time "$@" >/dev/null 2>/dev/null; } 2>&1';

function processorTime(argv: readonly string[], env: Record<string, string>, input?: string): number {
  const ran = runProgram('bash', ['-c', TIMED, 'bash', ...argv], { env, input: input ?? '' });
  const [user, system] = ran.stdout.trim().split(' ').map(Number);
  return (user ?? Number.NaN) + (system ?? Number.NaN);
}

/** What the demo program is told in such a turn. */
async function toldTheDemo(root: string, folder: string, env: Record<string, string>): Promise<string> {
  const file = join(folder, 'turn.ndjson');
  await take({ argv: [...turn(root, 'demo'), '--record', file], env });
  const entries = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { k: string; line?: string } => JSON.parse(line));
  return entries.flatMap(({ k, line }) => (k === 'in' && line !== undefined ? [`${line}\n`] : [])).join('');
}

export const cpu: Row = {
  id: 'cpu',
  async measure({ root, runs }): Promise<Figure[]> {
    if (runProgram('bash', ['-c', ':']).status !== 0) return [skipped(WHAT, 'needs bash')];
    const { env, folder } = place();
    const input = await toldTheDemo(root, folder, env);
    const demo = [process.execPath, join(root, 'bin', 'turnout.js'), '__demo'];
    const over: number[] = [];
    const nodes: number[] = [];
    for (let run = 0; run < runs; run++) {
      const whole = processorTime(turn(root, 'demo'), env);
      over.push(whole - processorTime(demo, env, input));
      nodes.push(processorTime([process.execPath, '-e', '0'], env));
    }
    const value = median(over);
    const note = `node -e 0 alone: ${median(nodes).toFixed(3)} s`;
    return [{ what: WHAT, value, shown: `${value.toFixed(3)} s`, most: 0.12, target: '≤ 0.12 s', note }];
  },
};
