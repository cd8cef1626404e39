/** Builds the host program and runs it, to be killed. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { isAlive, until } from './survivors.js';

export interface Hosted {
  child: ChildProcess;
  pid: number;
  marker: { name: string; value: string };
  said: Record<string, unknown>[];
  /** Waits until it said something with this key and returns the value. */
  hears(key: string): Promise<unknown>;
}

let built: Promise<string> | null = null;

/** Bundled into the build folder, from where the libraries are found. */
export function hostProgram(): Promise<string> {
  const outfile = join(process.cwd(), '.build', 'test', 'process', `host-${process.pid}.mjs`);
  built ??= build({
    entryPoints: [join(process.cwd(), 'test', 'process', 'host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  }).then(() => outfile);
  return built;
}

/** @param detached whether the host leads a process group of its own */
export async function host(
  agent: string[],
  options: { turnId?: string; detached?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Hosted> {
  const program = await hostProgram();
  const turnId = options.turnId ?? `hosted-${randomUUID()}`;
  const child = spawn(process.execPath, [program, turnId, ...agent], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: options.detached ?? false,
    env: { ...process.env, ...options.env },
  });
  const said: Record<string, unknown>[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) said.push(JSON.parse(line));
  });
  const hears = async (key: string): Promise<unknown> => {
    await until(`the host says ${key}`, () => said.some((told) => key in told));
    return said.find((told) => key in told)?.[key];
  };
  return { child, pid: child.pid ?? -1, marker: { name: 'TURNOUT_TURN', value: turnId }, said, hears };
}

/** The reapers of a turn that are alive. */
export function reapersOf(turnId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return args.includes('turnout-reaper') && args.includes(`TURNOUT_TURN=${turnId}`) && isAlive(pid);
      } catch {
        return false;
      }
    });
}
