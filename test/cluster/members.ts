/** Members of a cluster as real processes, and requests to their fronts. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ended, freePort, listens } from './engines.js';

const program = resolve(process.env['TURNOUT_ROOT'] ?? process.cwd(), 'bin/turnout.js');

export interface Spawned {
  child: ChildProcess;
  /** Everything it said so far. */
  said(): string;
  /** Asks it to end, and waits. @returns its exit code */
  stop(): Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

export interface SpawnedFront extends Spawned {
  url: string;
}

export interface Members {
  worker(id: string, more?: readonly string[]): Spawned;
  front(more?: readonly string[]): Promise<SpawnedFront>;
  /** Ends all of them. */
  end(): Promise<void>;
}

/** How often, and after how many milliseconds, a member that does not start is started again. */
const TRIES = 20;
const AGAIN_MS = 500;

/** @param env beside the address, for programs that are started */
export function members(cluster: string, env: Readonly<Record<string, string>> = {}): Members {
  const home = mkdtempSync(join(tmpdir(), 'cluster-home-'));
  const all: Spawned[] = [];
  // Also when the test fails where nothing can be waited for.
  const last = () => {
    for (const { child } of all) child.kill('SIGKILL');
  };
  process.on('exit', last);
  function start(args: readonly string[]): Spawned {
    const { NODE_EXTRA_CA_CERTS: _slow, ...ours } = process.env;
    const child = spawn(process.execPath, [program, 'agent', 'serve', ...args], {
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...ours, HOME: home, XDG_STATE_HOME: home, TURNOUT_CLUSTER: cluster, ...env },
    });
    let text = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (some: string) => {
      text = (text + some).slice(-65_536);
    });
    const one: Spawned = {
      child,
      said: () => text,
      async stop() {
        child.kill('SIGCONT');
        child.kill('SIGTERM');
        await ended(child);
        return child.exitCode;
      },
      kill: (signal) => void child.kill(signal),
    };
    all.push(one);
    return one;
  }
  return {
    worker: (id, more = []) => start(['--role', 'worker', '--member-id', id, ...more]),
    async front(more = []) {
      for (let tries = 0; ; tries++) {
        const port = await freePort();
        const args = ['--role', 'front', '--transport', 'http', '--port', String(port), '--no-auth', ...more];
        const one = start(args);
        try {
          await listens(port, one.child);
          return { ...one, url: `http://127.0.0.1:${port}/v1/agent` };
        } catch {
          // The engine may be away for a moment: as with systemd, it is started again.
          if (tries === TRIES) throw new Error(`a front does not start: ${one.said()}`);
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        }
      }
    },
    async end() {
      for (const { child } of all) {
        child.kill('SIGKILL');
        await ended(child);
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface Line {
  kind: string;
  [name: string]: unknown;
}

/** The lines of one request. @throws {Error} the front is away, or refuses with another status than it was given */
export async function request(url: string, body: object, signal?: AbortSignal): Promise<Line[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line): Line => JSON.parse(line));
}
