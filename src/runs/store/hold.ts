/**
 * Who works with a store: one process alone (a server), or several side by side (editors that each start us). The lock of
 * the operating system decides. A fencing number makes sure of it where a file system forgets a lock: every write first
 * looks whether it still is the number that we began with.
 */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Connect, Database } from './database.js';
import { isHeld, type Lock, takeLock } from './lock.js';
import { forgetOwner, type Owner, ourselves, ownerOf, readOwner, shownOwner, writeOwner } from './owner.js';
import { StoreError, storeError } from './store-error.js';

/** The lock is ours; the database is not open yet. */
export interface Claim {
  /** Marks the runs that we begin; null when the store is ours alone. */
  readonly id: string | null;
  readonly owner: Owner;
  release(): void;
}

export interface Hold {
  readonly id: string | null;
  /** First thing in every transaction that writes. @throws StoreError fenced */
  fence(): void;
  /** Holders whose process lives, ours included. */
  alive(): string[];
  /** Leaves the store in order; the lock is the claim's. */
  leave(): void;
}

const lockOf = (path: string, id?: string): string => (id === undefined ? `${path}-lock` : `${path}-lock-${id}`);

function rowsOf(db: Database): { id: string; owner: Owner | null }[] {
  return db.all('SELECT id, data FROM holders').map((row) => ({
    id: String(row['id']),
    owner: ownerOf(String(row['data'])),
  }));
}

/** Whoever has it, if anybody does: one process alone, or the first of those that share it. @throws StoreError */
export function holderOf(connect: Connect, path: string): { held: boolean; owner: Owner | null } {
  if (!isHeld(connect, lockOf(path))) return { held: false, owner: null };
  const shared = takeLock(connect, lockOf(path), 'shared');
  if (!shared) return { held: true, owner: readOwner(path) };
  try {
    return { held: true, owner: firstHolder(connect, path) };
  } catch (error) {
    // A store that can't be read is held all the same.
    if (error instanceof StoreError) return { held: true, owner: null };
    throw error;
  } finally {
    shared.release();
  }
}

function firstHolder(connect: Connect, path: string): Owner | null {
  const db = connect(path);
  try {
    return rowsOf(db).find(({ id }) => isHeld(connect, lockOf(path, id)))?.owner ?? null;
  } finally {
    db.close();
  }
}

/** Holders whose process lives, as a reader sees them. */
export const livingHolders = (connect: Connect, db: Database): string[] =>
  rowsOf(db).flatMap(({ id }) => (isHeld(connect, lockOf(db.path, id)) ? [id] : []));

function refuse(connect: Connect, path: string): never {
  const { owner } = holderOf(connect, path);
  throw new StoreError('locked', `the store ${path} is held by ${shownOwner(owner)}`);
}

/**
 * Takes the lock of a store for us alone, or joins those that share it.
 * @throws StoreError locked, with who holds it; or what keeps us from making the files
 */
export function claim(connect: Connect, options: { path: string; what: string; shared: boolean }): Claim {
  const { path, what, shared } = options;
  const owner = ourselves(what);
  const lock = takeLock(connect, lockOf(path), shared ? 'shared' : 'alone') ?? refuse(connect, path);
  if (shared) return sharedClaim(connect, path, owner, lock);
  try {
    writeOwner(path, owner);
  } catch (error) {
    lock.release();
    throw storeError(error, path);
  }
  return {
    id: null,
    owner,
    release() {
      try {
        forgetOwner(path, owner);
      } finally {
        lock.release();
      }
    },
  };
}

function sharedClaim(connect: Connect, path: string, owner: Owner, lock: Lock): Claim {
  const id = randomUUID();
  const own = takeLock(connect, lockOf(path, id), 'alone');
  if (!own) {
    lock.release();
    throw new StoreError('unusable', `the lock ${lockOf(path, id)} can't be taken`);
  }
  return {
    id,
    owner,
    release() {
      own.release();
      rmSync(lockOf(path, id), { force: true });
      lock.release();
    },
  };
}

const numberOf = (db: Database): unknown => db.all('SELECT number FROM fence')[0]?.['number'];

/** Enters the claim into the open database. @throws StoreError */
export function enter(connect: Connect, db: Database, { id, owner }: Claim): Hold {
  const { path } = db;
  const isAlive = (other: string) => other === id || isHeld(connect, lockOf(path, other));
  const number = db.transaction(() => {
    for (const one of rowsOf(db)) {
      if (isAlive(one.id)) continue;
      db.run('DELETE FROM holders WHERE id = ?', one.id);
      rmSync(lockOf(path, one.id), { force: true });
    }
    if (id === null) db.exec('UPDATE fence SET number = number + 1');
    else db.run('INSERT INTO holders (id, data) VALUES (?, ?)', id, JSON.stringify(owner));
    return numberOf(db);
  });
  const isEntered = (): boolean => id === null || db.all('SELECT 1 FROM holders WHERE id = ?', id).length === 1;
  return {
    id,
    fence() {
      if (numberOf(db) === number && isEntered()) return;
      throw new StoreError('fenced', `the store ${path} was taken over by ${shownOwner(readOwner(path))}`);
    },
    alive: () => rowsOf(db).flatMap((one) => (isAlive(one.id) ? [one.id] : [])),
    leave() {
      if (id !== null) db.run('DELETE FROM holders WHERE id = ?', id);
    },
  };
}
