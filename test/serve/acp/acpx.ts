/** acpx, a client of agents that others wrote, in front of `turnout acp`. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installedBin } from '../../lab/install.js';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  ended: Promise<Ran>;
  /** Resolves when stdout holds this, or with false when it ended without. */
  printed(text: string): Promise<boolean>;
}

export interface Acpx {
  start(...args: string[]): Started;
  /** Runs `acpx … ARGS` to its end. */
  run(...args: string[]): Promise<Ran>;
}

const LIMIT_MS = 120_000;

/** @returns null where it is not installed: `npm run lab -- install acpx` */
export function acpx(options: {
  root: string;
  cwd: string;
  env: Record<string, string>;
  args: readonly string[];
}): Acpx | null {
  const bin = installedBin('acpx');
  if (bin === undefined) return null;
  const command = [process.execPath, join(options.root, 'bin', 'turnout.js'), 'acp', ...options.args];
  const agent = command.map((word) => `'${word}'`).join(' ');
  const start: Acpx['start'] = (...args) => {
    const child = spawn(bin, ['--agent', agent, '--ttl', '1', '--timeout', '110', ...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const said = { stdout: '', stderr: '' };
    const waiting: { text: string; resolve: (found: boolean) => void }[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
      for (const one of waiting) if (said.stdout.includes(one.text)) one.resolve(true);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text;
    });
    const ended = new Promise<Ran>((resolve) => {
      child.on('close', (code) => {
        clearTimeout(timer);
        for (const one of waiting) one.resolve(false);
        resolve({ code, ...said });
      });
    });
    const printed = (text: string) =>
      new Promise<boolean>((resolve) => {
        waiting.push({ text, resolve });
        if (said.stdout.includes(text)) resolve(true);
      });
    return { ended, printed };
  };
  return { start, run: (...args) => start(...args).ended };
}

/** Asks again and again, since what is waited for happens in a process of acpx that nobody can listen to. */
export async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 40; tries++) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return false;
}
