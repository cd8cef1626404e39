/** Starts what others wrote to check MCP servers with, in surroundings of their own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgramLater } from '../../run-program.js';

export interface Surroundings {
  root: string;
  /** A scratch folder, also the home. */
  folder: string;
  env: Record<string, string>;
  remove(): void;
}

export function surroundings(root: string): Surroundings {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-mcp-checks-'));
  const env = { PATH: process.env.PATH ?? '', HOME: folder, USERPROFILE: folder, LANG: 'C.UTF-8' };
  return { root, folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

export async function run(command: string, argv: readonly string[], around: Surroundings): Promise<Said> {
  const options = { cwd: around.folder, env: around.env, timeout: 300_000 };
  const { status, stdout, stderr } = await runProgramLater(command, argv, options);
  return { code: status, stdout, stderr };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export interface HttpServer {
  url: string;
  /** @returns the exit code */
  stop(): Promise<number | null>;
}

/** Our server at a port that is known beforehand, because the page that may call it has to be named. */
export async function startHttp(around: Surroundings): Promise<HttpServer> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const argv = ['agent', 'serve', '--transport', 'http', '--listen', origin.slice('http://'.length), '--no-auth'];
  const child: ChildProcess = spawn(
    process.execPath,
    [join(around.root, 'bin', 'turnout.js'), ...argv, '--allow-origin', origin, '--store', 'memory'],
    { cwd: around.folder, env: around.env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    let told = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      if (told.includes('listening on')) resolve();
    });
    void ended.then(() => reject(new Error(`the server ended: ${told}`)));
  });
  return {
    url: `${origin}/mcp`,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
