/** Looks a store over, also beside the server that works with it. Changes nothing. */

import { statSync } from 'node:fs';
import { type Connect, type Database, sqlite } from './database.js';
import { holderOf } from './hold.js';
import { SCHEMA } from './migrations.js';
import { pageFaults, versionOf } from './open-database.js';
import type { Owner } from './owner.js';
import { StoreError, storeError } from './store-error.js';

/** What is in it; null is unknown, because it can't be read. */
export interface Contents {
  /** The version of its tables. */
  schema: number | null;
  runs: number | null;
  sessions: number | null;
  events: number | null;
  /** Pages that hold nothing, in bytes. */
  free_bytes: number | null;
}

export interface Checked extends Contents {
  path: string;
  /** Whether nothing is wrong. */
  ok: boolean;
  /** What is wrong, a line each, 100 at most. */
  problems: string[];
  /** What could be better. */
  notes: string[];
  bytes: number;
  /** Of the write-ahead log, which belongs to the store. */
  log_bytes: number;
  /** Whether a process works with it, and which. */
  held: boolean;
  holder: Owner | null;
}

const MOST = 100;
const UNKNOWN: Contents = { schema: null, runs: null, sessions: null, events: null, free_bytes: null };

export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

const figure = (db: Database, sql: string): number => Number(Object.values(db.all(sql)[0] ?? {})[0] ?? 0);

/** @throws StoreError */
export function contentsOf(db: Database): Contents {
  const count = (table: string) => figure(db, `SELECT count(*) FROM ${table}`);
  return {
    schema: versionOf(db),
    runs: count('runs'),
    sessions: count('sessions'),
    events: count('events'),
    free_bytes: figure(db, 'PRAGMA freelist_count') * figure(db, 'PRAGMA page_size'),
  };
}

/** Entries of a log are numbered without holes, and belong to a run. */
function logFaults(db: Database): string[] {
  const ids = (sql: string) => db.all(`${sql} LIMIT ${MOST}`).map((row) => String(row['run_id']));
  const holes = ids('SELECT run_id FROM events GROUP BY run_id HAVING max(seq) - min(seq) + 1 <> count(*)');
  const open = ids(
    `SELECT run_id FROM runs WHERE ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM events WHERE events.run_id = runs.run_id)
     AND (SELECT json FROM events WHERE events.run_id = runs.run_id ORDER BY seq DESC LIMIT 1) NOT LIKE '%"type":"done"%'`,
  );
  return [
    ...holes.map((id) => `the log of run ${id} has a hole`),
    ...open.map((id) => `run ${id} is over, and its log has no end`),
  ];
}

interface Looked {
  problems: string[];
  notes: string[];
  contents: Contents;
}

function look(db: Database): Looked {
  const version = versionOf(db);
  if (version > SCHEMA)
    return {
      problems: ['it was written by a newer version of turnout'],
      notes: [],
      contents: { ...UNKNOWN, schema: version },
    };
  const pages = pageFaults(db, 'whole', MOST);
  if (pages.length > 0) return { problems: pages, notes: [], contents: { ...UNKNOWN, schema: version } };
  const empty = version === 0 && figure(db, 'SELECT count(*) FROM sqlite_master') === 0;
  if (empty) return { problems: [], notes: ['it is empty'], contents: { ...UNKNOWN, schema: 0 } };
  if (version < SCHEMA) {
    const notes = ['an earlier version of turnout wrote it; the next server brings it up to date'];
    return { problems: [], notes, contents: { ...UNKNOWN, schema: version } };
  }
  const notes =
    figure(db, 'PRAGMA auto_vacuum') === 2
      ? []
      : ['it does not shrink by itself; `turnout store compact` changes that'];
  return { problems: logFaults(db), notes, contents: contentsOf(db) };
}

function lookAt(connect: Connect, path: string): Looked {
  try {
    const db = connect(path);
    try {
      db.exec('PRAGMA query_only = ON');
      return look(db);
    } finally {
      db.close();
    }
  } catch (error) {
    const found = storeError(error, path);
    if (found.kind !== 'corrupt') throw found;
    const cause = found.cause instanceof Error ? found.cause.message : found.message;
    return { problems: [cause], notes: [], contents: UNKNOWN };
  }
}

/** @throws StoreError when there is no such file, or it can't be opened */
export async function checkStore(path: string): Promise<Checked> {
  const bytes = sizeOf(path);
  if (bytes === null) throw new StoreError('unusable', `there is no store ${path}`);
  const connect = await sqlite();
  const { problems, notes, contents } = lookAt(connect, path);
  const { held, owner } = holderOf(connect, path);
  const log = sizeOf(`${path}-wal`) ?? 0;
  return { path, ok: problems.length === 0, problems, notes, bytes, log_bytes: log, ...contents, held, holder: owner };
}
