/** Who works with a store: one process alone (a server), or several side by side (editors that each start us). */

import { randomUUID } from 'node:crypto';
import { parseObject } from '../../text/json.js';
import { type Database, StoreError } from './database.js';
import { isAlive, type Owner, ourselves } from './owner.js';

export interface Hold {
  /** Marks the runs that we begin; null when the store is ours alone. */
  id: string | null;
  /** Holders whose process lives, ours included. */
  alive(): string[];
  release(): void;
}

export function ownerOf(json: string): Owner | null {
  const value = parseObject(json);
  const { pid, began, since, what } = value ?? {};
  if (typeof pid !== 'number') return null;
  return {
    pid,
    began: typeof began === 'string' ? began : null,
    since: typeof since === 'number' ? since : 0,
    what: typeof what === 'string' ? what : '',
  };
}

/** Whoever has the store for itself, if that process lives. */
export function livingOwner(db: Database): Owner | null {
  const [row] = db.all('SELECT data FROM owner');
  const owner = row ? ownerOf(String(row['data'])) : null;
  return owner !== null && isAlive(owner) ? owner : null;
}

function holders(db: Database): { id: string; owner: Owner }[] {
  return db.all('SELECT id, data FROM holders').flatMap((row) => {
    const owner = ownerOf(String(row['data']));
    return owner !== null && isAlive(owner) ? [{ id: String(row['id']), owner }] : [];
  });
}

function refuse(path: string, owner: Owner): never {
  const since = new Date(owner.since).toISOString();
  throw new StoreError('locked', `the store ${path} is held by process ${owner.pid} (${owner.what}, since ${since})`);
}

/**
 * Takes the store for us alone, or joins those that share it.
 * @throws StoreError locked, with who holds it
 */
export function hold(db: Database, options: { path: string; what: string; shared: boolean }): Hold {
  const { path, what, shared } = options;
  const us = JSON.stringify(ourselves(what));
  const id = shared ? randomUUID() : null;
  db.transaction(() => {
    const owner = livingOwner(db);
    if (owner && (shared || owner.pid !== process.pid)) refuse(path, owner);
    if (id !== null) return db.run('INSERT INTO holders (id, data) VALUES (?, ?)', id, us);
    const [other] = holders(db);
    if (other) refuse(path, other.owner);
    db.run('INSERT OR REPLACE INTO owner (one, data) VALUES (1, ?)', us);
  });
  return {
    id,
    alive: () => holders(db).map((one) => one.id),
    release() {
      if (id === null) db.run('DELETE FROM owner');
      else db.run('DELETE FROM holders WHERE id = ?', id);
    },
  };
}
