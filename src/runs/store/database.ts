/** SQLite, as much of it as the store needs. Loaded only when a store on disk is opened. */

import { isObject } from '../../text/json.js';
import { reasonOf, StoreError, storeError } from './store-error.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

export interface Database {
  readonly path: string;
  /** Statements without rows. */
  exec(sql: string): void;
  /** Prepared once, however often it is asked for. */
  run(sql: string, ...values: Value[]): void;
  all(sql: string, ...values: Value[]): Row[];
  /** All or nothing. Takes the write lock at once, so that what is read in it is still so when it is written. */
  transaction<T>(work: () => T): T;
  /** Moves all of the write-ahead log into the file and empties it, as far as readers let us. @returns whether it is empty */
  checkpoint(): boolean;
  /** May be called again. */
  close(): void;
}

const isRow = (value: unknown): value is Row => isObject(value);

/** How long a statement waits for another process, in milliseconds. */
const BUSY_MS = 5000;

/** Opens a file, without any setting of ours but the waiting time. Whatever the connection throws is a StoreError. */
export type Connect = (path: string, busyMs?: number) => Database;

/** @throws StoreError missing-library */
export async function sqlite(): Promise<Connect> {
  let Libsql: typeof import('libsql');
  try {
    Libsql = (await import('libsql')).default;
  } catch (error) {
    const why = reasonOf(error).split('\n')[0];
    throw new StoreError('missing-library', `the package libsql could not be loaded (${why})`, { cause: error });
  }
  return (path, busyMs = BUSY_MS) => connection(Libsql, path, busyMs);
}

function connection(Libsql: typeof import('libsql'), path: string, busyMs: number): Database {
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storeError(error, path);
    }
  };
  const db = told(() => new Libsql(path));
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
  const statement = (sql: string) => {
    const found = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, found);
    return found;
  };
  const all = (sql: string, values: Value[]) =>
    statement(sql)
      .all(...values)
      .filter(isRow);
  let closed = false;
  told(() => db.exec(`PRAGMA busy_timeout = ${busyMs}`));
  return {
    path,
    exec: (sql) => told(() => void db.exec(sql)),
    run: (sql, ...values) => told(() => void statement(sql).run(...values)),
    all: (sql, ...values) => told(() => all(sql, values)),
    transaction: (work) =>
      told(() => {
        db.exec('BEGIN IMMEDIATE');
        try {
          const result = work();
          db.exec('COMMIT');
          return result;
        } catch (error) {
          // A full disk and an I/O error have rolled it back already; a second time would hide the reason.
          if (db.inTransaction) db.exec('ROLLBACK');
          throw error;
        }
      }),
    checkpoint: () => told(() => all('PRAGMA wal_checkpoint(TRUNCATE)', [])[0]?.['busy'] === 0),
    close() {
      if (closed) return;
      closed = true;
      prepared.clear();
      told(() => void db.close());
    },
  };
}
