import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { type Bench, describe } from '../harness/bench.js';
import { KEYS } from '../model/texts.js';
import type { Scenario } from './scenario.js';

const holds = (text: string): boolean => Object.values(KEYS).some((key) => text.includes(key));

/** Whether the writable memory of a process holds one of the keys. */
function inMemory(pid: number): boolean {
  const regions = readFileSync(`/proc/${pid}/maps`, 'latin1')
    .split('\n')
    .filter((line) => / rw/.test(line));
  const file = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return regions.some((region) => {
      const [from = 0, to = 0] = (region.split(' ')[0] ?? '').split('-').map((one) => Number.parseInt(one, 16));
      // What no program has written is not there to be read.
      const chunk = Buffer.alloc(Math.min(to - from, 4 * 1024 * 1024));
      for (let at = from; at < to; at += chunk.length) {
        try {
          if (holds(chunk.toString('latin1', 0, readSync(file, chunk, 0, Math.min(chunk.length, to - at), at))))
            return true;
        } catch {
          return false;
        }
      }
      return false;
    });
  } finally {
    closeSync(file);
  }
}

/** A process and all below it. */
function treeOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const one of readdirSync('/proc')
    .map(Number)
    .filter((number) => number > 0)) {
    try {
      const parent = Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${one}/stat`, 'latin1'))?.[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), one]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const all = [pid];
  for (const one of all) all.push(...(parents.get(one) ?? []));
  return all;
}

function look(bench: Bench, pid: number): void {
  for (const one of treeOf(pid)) {
    try {
      const [argv, env] = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${one}/${name}`, 'latin1'));
      bench.check('argv', !holds(argv ?? ''), `the key is in the arguments of ${argv?.slice(0, 80)}`);
      bench.check('environment', !holds(env ?? ''), `the key is in the environment of ${argv?.slice(0, 80)}`);
      bench.check('memory', !inMemory(one), `the key is in the memory of ${argv?.slice(0, 80)}`);
    } catch {
      // It has ended meanwhile.
    }
  }
}

export const brokerScenarios: readonly Scenario[] = [
  {
    name: 'broker',
    title:
      'With --broker the key is nowhere in the program, and usage is what the model counted; or the flag is refused',
    needs: 'exec-policy',
    async run(bench) {
      if (process.platform !== 'linux') return;
      let looked = 0;
      let child = 0;
      const outcome = await bench.turn('slow 6', {
        flags: ['--broker'],
        onEvent(event) {
          if (event.type === 'start') child = Number(event.child_pid ?? 0);
          if (event.type !== 'assistant' || child === 0 || looked++ > 0) return;
          look(bench, child);
        },
      });
      if (outcome.first('error')?.code === 'unsupported') return;
      bench.check('exit', outcome.code === 0, describe(outcome));
      const totals = outcome.first('done')?.totals;
      const asked = outcome.requests.length;
      const wanted = JSON.stringify([1200 * asked, 34 * asked]);
      const told = totals as { input_tokens?: number; output_tokens?: number } | undefined;
      bench.check(
        'usage',
        JSON.stringify([told?.input_tokens, told?.output_tokens]) === wanted,
        `${JSON.stringify(totals)}, not ${wanted}`,
      );
      if (looked === 0) look(bench, child);
    },
  },
];
