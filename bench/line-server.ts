/** `turnout agent serve` on its stdio: requests with an id in, answers by that id out. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject, str } from '../src/text/json.js';
import { lineSplitter } from '../src/text/lines.js';

export interface LineServer {
  /** Resolves at the answer's last line. @returns how many events it had */
  ask(request: object): Promise<number>;
  /** Bytes that live in memory now. */
  memory(): number;
  stop(): Promise<void>;
}

interface Open {
  events: number;
  done(events: number): void;
}

export function lineServer(root: string, env: Record<string, string>, turns: number): LineServer {
  const argv = [join(root, 'bin', 'turnout.js'), 'agent', 'serve', '--store', 'memory', '--concurrency', String(turns)];
  const child = spawn(process.execPath, argv, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const open = new Map<string, Open>();
  let next = 0;
  const lines = lineSplitter({
    max: 1 << 24,
    onLine(line) {
      const answer = parseObject(line);
      const id = str(answer, 'id') ?? '';
      const one = open.get(id);
      if (!one) return;
      const kind = str(answer, 'kind');
      if (kind === 'event') one.events++;
      if (kind !== 'done') return;
      open.delete(id);
      one.done(one.events);
    },
  });
  child.stdout.on('data', lines.push);
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    ask(request) {
      const id = `r${next++}`;
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      return new Promise((done) => open.set(id, { events: 0, done }));
    },
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
    },
    stop() {
      child.stdin.end();
      return gone;
    },
  };
}
