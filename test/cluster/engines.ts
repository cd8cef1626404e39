/** Engines that a test starts for itself on a free port of the loopback address, and ends. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Served {
  url: string;
  pid(): number;
  /** Dies at once and starts again with what it had written. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const at = server.address();
      server.close(() => (at !== null && typeof at === 'object' ? resolve(at.port) : reject(new Error('no port'))));
    });
  });

/** Resolves once something listens. */
export async function listens(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** @param more arguments of redis-server */
export async function serveRedis(more: readonly string[] = []): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  let child: ChildProcess;
  async function start(): Promise<void> {
    child = spawn('redis-server', [...args, ...more], { stdio: 'ignore' });
    await listens(port, child);
  }
  await start();
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended(child);
  };
  const last = () => child.kill('SIGKILL');
  process.on('exit', last);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    async crash() {
      await end();
      await start();
    },
    async stop() {
      process.off('exit', last);
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const SKIPPED =
  'SKIPPED: NOTHING OF A CLUSTER ON REDIS WAS TESTED: THERE IS NO redis-server (apt-get install redis-server)';
