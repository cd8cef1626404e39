/** A PostgreSQL server of a test's own, in a scratch folder, by an unprivileged user. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, freePort, listens, type Served } from './engines.js';

/** Debian keeps the programs of each version in a folder of its own. */
const DEBIAN = '/usr/lib/postgresql';

function programs(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  if (newest !== undefined) return join(DEBIAN, newest, 'bin');
  return spawnSync('initdb', ['--version']).status === 0 ? '' : null;
}

/** The server refuses to be run by root. */
function otherUser(): { uid: number; gid: number } | null {
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [id('-u'), id('-g')];
  return uid > 0 && gid > 0 ? { uid, gid } : null;
}

export const hasPostgres = (): boolean => programs() !== null && (process.getuid?.() !== 0 || otherUser() !== null);

export const POSTGRES_SKIPPED =
  'SKIPPED: NOTHING OF A CLUSTER ON POSTGRESQL WAS TESTED: THERE IS NO SERVER (apt-get install postgresql)';

export async function servePostgres(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const user = process.getuid?.() === 0 ? otherUser() : null;
  if (user) chownSync(folder, user.uid, user.gid);
  const at = (name: string) => join(programs() ?? '', name);
  const how = { ...user, cwd: folder, stdio: 'ignore' as const };
  const data = join(folder, 'data');
  const made = spawnSync(at('initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'], how);
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status}`);
  const port = await freePort();
  let child: ChildProcess;
  async function start(): Promise<void> {
    const args = [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
    ];
    child = spawn(at('postgres'), [...args, '-c', 'max_connections=300'], how);
    await listens(port, child);
    // It listens before it answers.
    while (spawnSync(at('pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }).status !== 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await start();
  const quit = async (): Promise<void> => {
    child.kill('SIGQUIT');
    await ended(child);
  };
  const last = () => child.kill('SIGQUIT');
  process.on('exit', last);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: () => child.pid ?? 0,
    async crash() {
      await quit();
      await start();
    },
    async stop() {
      process.off('exit', last);
      await quit();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
