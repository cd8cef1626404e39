/** Starts programs and takes their times, in turns, so that what else the machine does hits all of them alike. */

import { type ChildProcess, spawn } from 'node:child_process';

export interface Start {
  argv: readonly string[];
  env: Record<string, string>;
  cwd?: string;
  /** Written to its stdin, which is then closed; without it stdin is /dev/null. */
  input?: string;
}

export interface Took {
  /** Until the first byte of stdout was here; until its end where there was none. */
  first: number;
  /** Until the process was gone and its output read. */
  whole: number;
  out: string;
}

const KEPT = 64 * 1024;
/** Nothing that is measured takes so long. */
const LONGEST_MS = 120_000;

/** @throws when it can't be started, ends with another code than 0, or takes two minutes */
export function take({ argv, env, cwd, input }: Start): Promise<Took> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child: ChildProcess = spawn(program, args, {
      env,
      ...(cwd === undefined ? {} : { cwd }),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    let first: number | null = null;
    let out = '';
    let err = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      first ??= performance.now() - began;
      if (out.length < KEPT) out += chunk.toString('latin1');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (err.length < KEPT) err += chunk.toString();
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(late);
      const whole = performance.now() - began;
      if (code === 0) return resolve({ first: first ?? whole, whole, out });
      reject(new Error(`${argv.join(' ')} ended with ${code ?? signal}: ${err.slice(-500)}`));
    });
  });
}

/** A group of measurements that takes longer is cut short: the whole is to end within eight minutes. */
const LONGEST_GROUP_MS = 75_000;
let cut = false;

/** Whether a group was cut short, so that its figures rest on fewer rounds than asked for. */
export const wasCutShort = (): boolean => cut;

/** Runs all of them once to warm the disk's cache, then so many times, one after another. */
export async function inTurns<Name extends string>(
  runs: number,
  what: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(what).filter((name): name is Name => name in what);
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await what[name]();
  const until = performance.now() + LONGEST_GROUP_MS;
  for (let run = 0; run < runs; run++) {
    if (performance.now() > until) {
      cut = true;
      console.error(`only ${run} rounds of ${runs}: the machine is busy`);
      break;
    }
    for (const name of names) taken[name].push(await what[name]());
  }
  return taken;
}

/** @param part 0.5 for the median, 0.99 for what one in a hundred exceeds */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of the ratios pair by pair: a slow moment of the machine slows both of a pair. */
export function ratio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, index) => value / (base[index] ?? Number.NaN)));
}
