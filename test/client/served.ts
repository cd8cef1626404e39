/** A real server over HTTP, on a free port, that keeps nothing. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { TURNOUT } from '../contract/cli.js';

export const TOKEN = 'a-token-of-the-tests';
const ARGV = ['agent', 'serve', '--transport', 'http', '--port', '0', '--store', 'memory'];

/** @returns its address once it listens; `stop` ends it */
export async function served(home: string): Promise<{ url: string; stop(): void }> {
  const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home, TURNOUT_TOKEN: TOKEN };
  const child = spawn(process.execPath, [TURNOUT, ...ARGV], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      const found = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, stop: () => void child.kill('SIGTERM') };
}
