/** SQLite, as much of it as the store needs. Loaded only when a store on disk is opened. */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../text/json.js';
import { MIGRATIONS, SCHEMA } from './migrations.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

export interface Database {
  exec(sql: string): void;
  /** Prepared once, however often it is asked for. */
  run(sql: string, ...values: Value[]): void;
  all(sql: string, ...values: Value[]): Row[];
  /** All or nothing. Takes the write lock at once, so that what is read in it is still so when it is written. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** Why the store can't be opened; the message is for people. */
export class StoreError extends Error {
  constructor(
    readonly kind: 'missing-library' | 'locked' | 'unusable',
    message: string,
  ) {
    super(message);
    this.name = 'StoreError';
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function library() {
  try {
    return (await import('libsql')).default;
  } catch (error) {
    throw new StoreError('missing-library', `the package libsql could not be loaded (${reason(error).split('\n')[0]})`);
  }
}

/** @throws StoreError */
export async function openDatabase(path: string, readonly = false): Promise<Database> {
  const Libsql = await library();
  try {
    if (!readonly) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // SQLite gives its side files the mode of the file itself.
      closeSync(openSync(path, 'a', 0o600));
    }
    const db = new Libsql(path, readonly ? { readonly: true } : {});
    const prepared = new Map<string, ReturnType<typeof db.prepare>>();
    const statement = (sql: string) => {
      const found = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, found);
      return found;
    };
    const database: Database = {
      exec: (sql) => void db.exec(sql),
      run: (sql, ...values) => void statement(sql).run(...values),
      all: (sql, ...values) =>
        statement(sql)
          .all(...values)
          .filter(isRow),
      transaction(work) {
        db.exec('BEGIN IMMEDIATE');
        try {
          const result = work();
          db.exec('COMMIT');
          return result;
        } catch (error) {
          db.exec('ROLLBACK');
          throw error;
        }
      },
      close: () => void db.close(),
    };
    db.exec('PRAGMA busy_timeout = 5000');
    if (!readonly) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA auto_vacuum = INCREMENTAL;');
    migrate(database, path, readonly);
    return database;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('unusable', `the store ${path} can't be opened: ${reason(error)}`);
  }
}

const isRow = (value: unknown): value is Row => isObject(value);

function versionOf(db: Database): number {
  const version = db.all('PRAGMA user_version')[0]?.['user_version'];
  return typeof version === 'number' ? version : 0;
}

function migrate(db: Database, path: string, readonly: boolean): void {
  const found = versionOf(db);
  if (found > SCHEMA) throw new StoreError('unusable', `the store ${path} was written by a newer version of turnout`);
  if (found === SCHEMA) return;
  if (readonly) throw new StoreError('unusable', `the store ${path} holds nothing that this version can read`);
  db.transaction(() => {
    // Another process may have been faster.
    for (const step of MIGRATIONS.slice(versionOf(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${SCHEMA}`);
  });
}
