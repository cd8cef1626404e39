/** Files only we can read, in a folder only we can enter, gone on every path that we live to see. */

import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { randomHex } from './random.js';
import { startReaper } from './reaper.js';

const PRIVATE_PREFIX = 'turnout-';

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
  const path = join(tmpdir(), PRIVATE_PREFIX + id);
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
      for (const dir of alive) rmSync(dir, { recursive: true, force: true });
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
      await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
      alive.delete(path);
      guard.dismiss();
    },
  };
}

/** Exclusive, so that a link somebody put there is never followed. */
function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  return writeFile(file, content, { flag: 'wx', mode: 0o600 });
}
