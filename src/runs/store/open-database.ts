/** The database of a store, with its settings, checked and brought up to date. */

import type { Connect, Database } from './database.js';
import { MIGRATIONS, SCHEMA } from './migrations.js';
import { makePrivate } from './private-files.js';
import { damaged, StoreError, storeError } from './store-error.js';

/** A log that grew beyond this is cut to it at the next checkpoint: 16 MiB. */
const LOG_LIMIT = 16 * 1024 * 1024;

/**
 * For a new file. The order counts: once there is a write-ahead log, auto_vacuum no longer changes.
 * What is deleted is overwritten with zeros.
 */
const SETTINGS = `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON; PRAGMA journal_size_limit = ${LOG_LIMIT};`;

/** What is wrong with the pages; empty when nothing is. Reads the whole file. */
export function pageFaults(db: Database, how: 'quick' | 'whole', most = 100): string[] {
  const rows = db.all(`PRAGMA ${how === 'quick' ? 'quick_check' : 'integrity_check'}(${most})`);
  const lines = rows.flatMap((row) => Object.values(row).map(String)).flatMap((text) => text.split('\n'));
  return lines.filter((line) => line !== 'ok' && !line.startsWith('*** in database'));
}

export function versionOf(db: Database): number {
  const version = db.all('PRAGMA user_version')[0]?.['user_version'];
  return typeof version === 'number' ? version : 0;
}

function refuseNewer(db: Database): void {
  if (versionOf(db) > SCHEMA)
    throw new StoreError('unusable', `the store ${db.path} was written by a newer version of turnout; update turnout`);
}

function migrate(db: Database): void {
  if (versionOf(db) === SCHEMA) return;
  db.transaction(() => {
    // Another process may have been faster.
    for (const step of MIGRATIONS.slice(versionOf(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${SCHEMA}`);
  });
}

/** Closes it when the work fails. */
function opened(db: Database, work: () => void): Database {
  try {
    work();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * For a process that holds the lock of the store.
 * @param warn hears what could not be made private
 * @throws StoreError
 */
export function openToWrite(connect: Connect, path: string, warn: (line: string) => void): Database {
  try {
    makePrivate(path).forEach(warn);
  } catch (error) {
    throw storeError(error, path);
  }
  const db = connect(path);
  return opened(db, () => {
    refuseNewer(db);
    db.exec(SETTINGS);
    const [fault] = pageFaults(db, 'quick', 1);
    if (fault !== undefined) throw damaged(path, fault);
    migrate(db);
  });
}

/** Beside whoever writes. @throws StoreError when it holds nothing that we can read */
export function openToRead(connect: Connect, path: string): Database {
  const db = connect(path);
  return opened(db, () => {
    // libsql 0.5 takes the option `readonly` and does nothing with it.
    db.exec('PRAGMA query_only = ON');
    refuseNewer(db);
    if (versionOf(db) !== SCHEMA)
      throw new StoreError('unusable', `the store ${path} holds nothing that this version can read`);
  });
}
