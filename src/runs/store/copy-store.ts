/** Copies of a store: made beside the server that works with it, and put back when no one does. Compacting is a copy too. */

import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { type Contents, contentsOf, sizeOf } from './check-store.js';
import { type Connect, sqlite } from './database.js';
import { claim } from './hold.js';
import { openToRead, openToWrite, pageFaults } from './open-database.js';
import { makePrivate, SIDE_FILES } from './private-files.js';
import { StoreError, storeError } from './store-error.js';

export interface Backup extends Contents {
  path: string;
  to: string;
  bytes: number;
}

function mustExist(path: string): void {
  if (!existsSync(path)) throw new StoreError('unusable', `there is no store ${path}`);
}

/** @throws StoreError when the file is not a whole store that this version can read */
function contentsOfCopy(connect: Connect, path: string): Contents {
  try {
    const db = openToRead(connect, path);
    try {
      const [fault] = pageFaults(db, 'whole', 1);
      if (fault !== undefined) throw new StoreError('corrupt', fault);
      return contentsOf(db);
    } finally {
      db.close();
    }
  } catch (error) {
    const { kind, message } = storeError(error, path);
    if (kind !== 'corrupt') throw error;
    throw new StoreError('corrupt', `${path} is not a whole store, nothing was changed`, { cause: message });
  }
}

function toDisk(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a finished file in its place. Without `force`, one that came meanwhile stays. */
function place(part: string, to: string, force: boolean): void {
  if (force) return renameSync(part, to);
  linkSync(part, to);
  rmSync(part);
}

/**
 * Writes everything that was committed into one file of its own, 0600, as it was at one moment.
 * @param to must not exist unless `force`
 * @throws StoreError
 */
export async function backupStore(path: string, to: string, force: boolean): Promise<Backup> {
  mustExist(path);
  const target = resolve(to);
  const own = [path, ...SIDE_FILES.map((side) => `${path}${side}`)].map((one) => resolve(one));
  if (own.includes(target)) throw new StoreError('unusable', `${to} is the store itself; name another file`);
  const there = statSync(target, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new StoreError('unusable', `${to} is not a file`);
  if (there && !force) throw new StoreError('unusable', `${to} exists; --force replaces it`);
  const connect = await sqlite();
  const part = `${target}.part-${process.pid}`;
  try {
    rmSync(part, { force: true });
    // SQLite takes a file that is empty, and keeps its mode.
    makePrivate(part);
    const db = openToRead(connect, path);
    try {
      // Nothing of this store is written, but SQLite doesn't know.
      db.exec('PRAGMA query_only = OFF');
      db.run('VACUUM INTO ?', part);
    } finally {
      db.close();
    }
    const contents = contentsOfCopy(connect, part);
    toDisk(part);
    place(part, target, force);
    return { path, to: target, bytes: sizeOf(target) ?? 0, ...contents };
  } catch (error) {
    throw storeError(error, path);
  } finally {
    rmSync(part, { force: true });
  }
}

export interface Restored extends Contents {
  path: string;
  from: string | null;
  /** Where the store is that was there before; null when there was none. */
  aside: string | null;
}

/**
 * Sets the store aside, whatever its state, and puts a backup in its place.
 * @param from null: nothing, so that the next server begins a new one
 * @throws StoreError locked while a process works with it
 */
export async function restoreStore(path: string, from: string | null): Promise<Restored> {
  const connect = await sqlite();
  if (from !== null) mustExist(from);
  const contents = from === null ? null : contentsOfCopy(connect, from);
  const claimed = claim(connect, { path, what: 'store restore', shared: false });
  try {
    const part = `${path}.part-${process.pid}`;
    if (from !== null) {
      makePrivate(part);
      copyFileSync(from, part);
      toDisk(part);
    }
    const aside = existsSync(path) ? `${path}.aside-${new Date().toISOString().replace(/[:.]/g, '-')}` : null;
    // A log that stayed would be played into the other file.
    if (aside !== null)
      for (const side of ['', '-wal', '-shm', '-journal'])
        if (existsSync(`${path}${side}`)) renameSync(`${path}${side}`, `${aside}${side}`);
    if (from !== null) renameSync(part, path);
    const none = { schema: null, runs: 0, sessions: 0, events: 0, free_bytes: 0 };
    return { path, from, aside, ...(contents ?? none) };
  } catch (error) {
    throw storeError(error, path);
  } finally {
    claimed.release();
  }
}

export interface Compacted {
  path: string;
  bytes_before: number;
  bytes_after: number;
}

/**
 * Gives back what is free, and makes a store of an earlier version one that shrinks by itself. Needs as much room again
 * while it works.
 * @throws StoreError locked while another process works with it
 */
export async function compactStore(path: string): Promise<Compacted> {
  mustExist(path);
  const connect = await sqlite();
  const size = () => (sizeOf(path) ?? 0) + (sizeOf(`${path}-wal`) ?? 0);
  const claimed = claim(connect, { path, what: 'store compact', shared: false });
  try {
    const before = size();
    const db = openToWrite(connect, path, () => {});
    try {
      db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec('VACUUM');
      db.checkpoint();
    } finally {
      db.close();
    }
    return { path, bytes_before: before, bytes_after: size() };
  } finally {
    claimed.release();
  }
}
