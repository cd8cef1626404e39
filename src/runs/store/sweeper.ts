/**
 * Forgets sessions, each as a whole: its record and its runs go in one transaction, their events after that in small
 * pieces, so that nothing else waits long. What is deleted is overwritten (secure_delete) and its room given back.
 */

import type { Database } from './database.js';
import type { Retention } from './store.js';

/** Milliseconds of work at a time, and of rest between. */
const SLICE_MS = 5;
const REST_MS = 4;
/** Bytes of events, and pages of the file, between two looks at the clock. */
const PIECE = 128 * 1024;
const PAGES = 16;
/** Pages in the log until it is moved into the file: while much is deleted, and SQLite's own default. */
const LOG_PAGES = 128;
const USUAL_LOG_PAGES = 1000;
/** One that was in use just now is not forgotten for the sake of room: milliseconds. */
const FRESH_MS = 60 * 60 * 1000;

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REST_MS));

export interface Sweeper {
  /** Resolves when nothing is left to forget, or after `stop`. @returns how many sessions were forgotten */
  sweep(retention: Retention): Promise<number>;
  /** Forgets one now; its events go later. Call it inside of a transaction. */
  forget(session: string): void;
  /** Frees what forgotten sessions still take. */
  clean(): Promise<void>;
  /** What is under way ends at its next rest. */
  stop(): void;
}

const first = (db: Database, sql: string, ...values: (string | number)[]): unknown =>
  Object.values(db.all(sql, ...values)[0] ?? {})[0];

/**
 * Last used before a time, with no run under way, and no fork of it that is kept: a fork begins with what was said in
 * its parent. Longest unused first.
 */
const UNUSED = `SELECT session_id FROM sessions AS one WHERE updated_at < ?1
  AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.session_id = one.session_id AND (ended_at IS NULL OR ended_at >= ?1))
  AND NOT EXISTS (SELECT 1 FROM sessions AS fork WHERE fork.parent = one.session_id)
  ORDER BY updated_at LIMIT 1`;

/** @param write the only way to change something: a transaction */
export function sweeper(db: Database, write: (work: () => void) => void): Sweeper {
  let stopped = false;
  let cleaning: Promise<void> | null = null;

  /** Works in slices until there is nothing left to do. @param step does a little and says whether there is more */
  async function inSlices(step: () => boolean): Promise<void> {
    for (let more = true; more && !stopped; ) {
      const until = performance.now() + SLICE_MS;
      write(() => {
        while (more && performance.now() < until) more = step();
      });
      await rest();
    }
  }
  function forget(session: string): void {
    db.run('INSERT OR IGNORE INTO forgotten (run_id) SELECT run_id FROM runs WHERE session_id = ?', session);
    db.run('DELETE FROM runs WHERE session_id = ?', session);
    db.run('DELETE FROM sessions WHERE session_id = ?', session);
  }
  function forgetUnused(before: number): boolean {
    const id = first(db, UNUSED, before);
    if (typeof id !== 'string') return false;
    forget(id);
    return true;
  }
  /** Runs whose session nobody knows any more. */
  function forgetStray(before: number): boolean {
    const id = first(
      db,
      'SELECT run_id FROM runs WHERE ended_at < ? AND session_id NOT IN (SELECT session_id FROM sessions) LIMIT 1',
      before,
    );
    if (typeof id !== 'string') return false;
    db.run('INSERT OR IGNORE INTO forgotten (run_id) VALUES (?)', id);
    db.run('DELETE FROM runs WHERE run_id = ?', id);
    return true;
  }
  /** A piece of the log of one forgotten run; with the last one, the rest of it. */
  function cleanPiece(): boolean {
    const run = first(db, 'SELECT run_id FROM forgotten LIMIT 1');
    if (typeof run !== 'string') return false;
    let size = 0;
    let upTo: number | null = null;
    const rows = db.all(
      'SELECT seq, octet_length(json) AS size FROM events WHERE run_id = ? ORDER BY seq LIMIT 256',
      run,
    );
    for (const row of rows) {
      size += Number(row['size']);
      upTo = Number(row['seq']);
      if (size >= PIECE) break;
    }
    if (upTo !== null) {
      db.run('DELETE FROM events WHERE run_id = ? AND seq <= ?', run, upTo);
      return true;
    }
    for (const table of ['notes', 'org_lines', 'mail', 'forgotten'])
      db.run(`DELETE FROM ${table} WHERE run_id = ?`, run);
    return true;
  }
  function shrink(): boolean {
    const free = Number(first(db, 'PRAGMA freelist_count'));
    if (free > 0) db.all(`PRAGMA incremental_vacuum(${PAGES})`);
    return Number(first(db, 'PRAGMA freelist_count')) < free;
  }
  async function cleanUp(): Promise<void> {
    // Whoever asked goes on first.
    await rest();
    if (stopped) return;
    // Each time a little of the log moves into the file, instead of much at once.
    db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    await inSlices(cleanPiece);
    await inSlices(shrink);
    if (stopped) return;
    // What was deleted also stands in the log until then.
    db.checkpoint();
    db.exec(`PRAGMA wal_autocheckpoint = ${USUAL_LOG_PAGES}`);
  }
  function clean(): Promise<void> {
    cleaning ??= cleanUp().finally(() => {
      cleaning = null;
    });
    return cleaning;
  }
  const bytes = (): number => {
    const used = Number(first(db, 'PRAGMA page_count')) - Number(first(db, 'PRAGMA freelist_count'));
    return used * Number(first(db, 'PRAGMA page_size'));
  };

  return {
    forget,
    clean,
    async sweep({ now, keepMs, keysMs, maxBytes }) {
      let count = 0;
      const counted = (did: boolean): boolean => {
        if (did) count += 1;
        return did;
      };
      const before = keepMs === null ? 0 : now - keepMs;
      await inSlices(() => counted(forgetUnused(before)));
      await inSlices(() => forgetStray(before));
      if (stopped) return count;
      write(() => db.run('DELETE FROM keys WHERE at < ?', now - keysMs));
      await clean();
      // One at a time: how much room it gives back is known afterwards.
      while (maxBytes !== null && !stopped && bytes() > maxBytes) {
        let did = false;
        write(() => {
          did = counted(forgetUnused(now - FRESH_MS));
        });
        if (!did) break;
        await clean();
      }
      return count;
    },
    stop() {
      stopped = true;
    },
  };
}
