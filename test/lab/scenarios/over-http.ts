/** Turns over the HTTP server, for rows that are about more than one turn. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Bench } from '../harness/bench.js';

export type Line = Record<string, unknown>;

const TOKEN = 'lab-token';
const LIMIT = '60s';

export interface Server {
  child: ChildProcess;
  url: string;
}

/** Starts `turnout agent serve` over HTTP in the surroundings of a user who is logged in. */
export function start(bench: Bench): Promise<Server> {
  const argv = ['agent', 'serve', '--transport', 'http', '--port', '0', '--store', 'memory', '--auth-token', TOKEN];
  const child = spawn(process.execPath, [join(bench.root, 'bin', 'turnout.js'), ...argv], {
    cwd: bench.folder,
    env: bench.env(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let told = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      const url = /listening on (http:\/\/\S+\/v1\/agent)\n/.exec(told)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.once('exit', () => reject(new Error(`the server ended: ${told}`)));
  });
}

/** One request; every line of its answer is told as it comes. */
export async function ask(server: Server, request: object, onLine: (line: Line) => void = () => {}): Promise<Line[]> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const lines: Line[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    const whole = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = whole.pop() ?? '';
    for (const text of whole) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      onLine(line);
    }
  }
  return lines;
}

export const eventOf = (line: Line): Line =>
  typeof line.event === 'object' && line.event !== null ? (line.event as Line) : {};
export const resultOf = (lines: readonly Line[]): Line => lines.find((line) => line.kind === 'result') ?? {};

export function request(bench: Bench, order: string): Record<string, unknown> {
  const { runtime } = bench;
  const { model } = bench.recipe;
  return { op: 'exec', runtime, model, cwd: bench.folder, timeout: LIMIT, prompt: `SCENARIO:${order}\n(server-end)` };
}

/** Ends the server as a user does. */
export async function stop({ child }: Server): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
