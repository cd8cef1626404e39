/**
 * A lock of the operating system on a file, taken through SQLite: byte-range locks on POSIX, LockFileEx on Windows. It
 * holds across pid namespaces and containers that share a volume, and the system takes it back when we die.
 *
 * Never open such a file with anything else in this process: closing it would end the lock (POSIX).
 */

import { existsSync } from 'node:fs';
import type { Connect, Database } from './database.js';
import { makePrivate } from './private-files.js';
import { StoreError, storeError } from './store-error.js';

export interface Lock {
  release(): void;
}

export type LockKind = 'alone' | 'shared';

/** How long the lock is asked for, in milliseconds: whoever only looks at it holds it for an instant. */
const TRY_MS = 400;

function begin(db: Database, kind: LockKind): boolean {
  try {
    db.exec(kind === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN');
    // The lock to share comes with the first read.
    if (kind === 'shared') db.all('SELECT count(*) FROM sqlite_master');
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'locked') return false;
    throw error;
  }
}

/** @returns null when another holds it @throws StoreError when there can be no such file */
export function takeLock(connect: Connect, path: string, kind: LockKind): Lock | null {
  try {
    makePrivate(path);
  } catch (error) {
    throw storeError(error, path);
  }
  const db = connect(path, TRY_MS);
  let taken = false;
  try {
    taken = begin(db, kind);
  } finally {
    if (!taken) db.close();
  }
  if (!taken) return null;
  return {
    release() {
      // Closing alone would keep it while a statement is alive.
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

/** Whether a process holds it, in whatever way. Does not wait. @throws StoreError when the file can't be locked at all */
export function isHeld(connect: Connect, path: string): boolean {
  if (!existsSync(path)) return false;
  const db = connect(path, 0);
  try {
    const free = begin(db, 'alone');
    if (free) db.exec('ROLLBACK');
    return !free;
  } finally {
    db.close();
  }
}
