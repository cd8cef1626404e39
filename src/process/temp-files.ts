/** Files only we can read, in a folder only we can enter, gone on every path that we live to see. */

import { readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { randomHex } from './random.js';
import { startReaper } from './reaper.js';

const PRIVATE_PREFIX = 'turnout-';
/** On Windows the maker's number stands behind. */
const LEFT = /^turnout-[0-9a-f]{16}-(\d+)$/;

export interface PrivateDir {
  /** Absolute. */
  path: string;
  /** Writes a file of that base name (0600) and returns its path; a name already taken gets a folder of its own. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Removes the folder and all in it; may be called again. */
  remove(): Promise<void>;
}

const alive = new Set<string>();
let watching = false;

/**
 * Makes a 0700 folder under the system's temporary folder. It is removed by `remove`, when our process exits, or, when we
 * are killed, by a shell that is there before the folder is.
 */
export async function privateDir(): Promise<PrivateDir> {
  const id = randomHex(8);
  sweep();
  const path = join(tmpdir(), `${PRIVATE_PREFIX}${id}${process.platform === 'win32' ? `-${process.pid}` : ''}`);
  const guard = startReaper({ marker: { name: 'TURNOUT_DIR', value: id }, privateDir: path });
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    guard.dismiss();
    throw error;
  }
  alive.add(path);
  if (!watching) {
    watching = true;
    process.on('exit', () => {
      for (const dir of alive) {
        try {
          rmSync(dir, { recursive: true, force: true });
        } catch (error) {
          process.stderr.write(
            `turnout: ${dir} could not be removed (${reasonOf(error)}); a turn after tomorrow tries again\n`,
          );
        }
      }
    });
  }
  return {
    path,
    async write(name, content) {
      if (name !== basename(name) || name === '' || name === '.' || name === '..') {
        throw new Error('the name of a temporary file must be a base name');
      }
      const file = join(path, name);
      try {
        await writePrivate(file, content);
        return file;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
        const other = join(await mkdtemp(join(path, 'f-')), name);
        await writePrivate(other, content);
        return other;
      }
    },
    async remove() {
      try {
        // On Windows a virus scanner or a program that is about to end may hold a file open: 0.9 s in all.
        await rm(path, { recursive: true, force: true, maxRetries: 8, retryDelay: 25 });
        alive.delete(path);
        guard.dismiss();
      } catch {
        // Clean-up has no say in how a turn ended. Our exit tries again and says so when it fails.
      }
    },
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const DAY_MS = 86_400_000;
let swept = false;

/**
 * Removes what turns left behind on Windows, where no reaper stands behind us: folders of processes that are gone, after
 * a day. What can't be removed now is left to a later turn.
 */
function sweep(): void {
  if (swept || process.platform !== 'win32') return;
  swept = true;
  const folder = tmpdir();
  for (const name of readdirSync(folder)) {
    const pid = LEFT.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Still held open by somebody, or gone meanwhile.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return reasonOf(error) !== 'ESRCH';
  }
}

/** Exclusive, so that a link somebody put there is never followed. */
function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  return writeFile(file, content, { flag: 'wx', mode: 0o600 });
}
