/** Keeps everything in one SQLite file. What is written waits for the next turn of the event loop, and goes in one transaction. */

import { parseObject } from '../../text/json.js';
import { readEvent } from '../../text/read-event.js';
import { CoreError } from '../failure.js';
import { type Hit, isOver, RUN_STATUSES, type RunRecord, type SessionRecord } from '../records.js';
import { type Database, type Row, sqlite, type Value } from './database.js';
import { guarded } from './guarded.js';
import { claim, enter, type Hold, holderOf, livingHolders } from './hold.js';
import { openToRead, openToWrite } from './open-database.js';
import { orgLines } from './org-lines.js';
import { nothingPending, writePending } from './pending.js';
import { asCommand, asReceipt, asRun, asSession } from './rows.js';
import { hitsIn, type Store, within } from './store.js';
import { StoreError } from './store-error.js';
import { sweeper } from './sweeper.js';
import { wiping } from './wiping.js';

export interface SqliteOptions {
  path: string;
  /** How we can be reached: told to whoever finds the store taken. */
  what: string;
  /** Other processes may work with it too. */
  shared?: boolean;
  /** Hears that something could not be written; it is tried again. */
  complain(message: string): void;
}

const some = (clauses: [string, Value | undefined][]) => {
  const used = clauses.filter((clause): clause is [string, Value] => clause[1] !== undefined);
  const where = used.length === 0 ? '' : `WHERE ${used.map(([sql]) => sql).join(' AND ')}`;
  return { where, values: used.map(([, value]) => value) };
};
const text = (row: Row | undefined, key: string): string => {
  const value = row?.[key];
  return typeof value === 'string' ? value : '';
};
const number = (row: Row | undefined, key: string): number => Number(row?.[key] ?? 0);

/** Only reads, beside a server that may be writing. @throws StoreError */
export async function readSqlite(path: string): Promise<{ store: Store; held(): boolean }> {
  const connect = await sqlite();
  const db = openToRead(connect, path);
  return {
    store: storeOver(
      db,
      path,
      () => {},
      null,
      true,
      () => livingHolders(connect, db),
    ),
    /** Whether a process that lives works with it. */
    held: () => holderOf(connect, path).held,
  };
}

/** @throws StoreError */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const { path, what, complain, shared = false } = options;
  const connect = await sqlite();
  const claimed = claim(connect, { path, what, shared });
  let db: Database | null = null;
  try {
    db = openToWrite(connect, path, complain);
    const held = enter(connect, db, claimed);
    const store = storeOver(db, path, complain, held, shared);
    return {
      ...store,
      close() {
        try {
          store.close();
        } finally {
          claimed.release();
        }
      },
    };
  } catch (error) {
    db?.close();
    claimed.release();
    throw error;
  }
}

/** What has happened when a run is not over. */
const OPEN = RUN_STATUSES.filter((status) => !isOver(status));
/** Forgotten at once, freed later. */
const NOT_FORGOTTEN = 'run_id NOT IN (SELECT run_id FROM forgotten)';
const marks = (list: readonly unknown[]): string => list.map(() => '?').join(', ');

function storeOver(
  db: Database,
  name: string,
  complain: (message: string) => void,
  held: Hold | null,
  shared: boolean,
  living = () => held?.alive() ?? [],
): Store {
  let pending = nothingPending();
  let committing: Promise<void> | null = null;
  const wiped = wiping(db, complain);
  const { read, write, degraded } = guarded(db, () => held?.fence(), complain);

  /** @throws CoreError store */
  function flush(): void {
    if (pending.size() === 0) return;
    write(() => writePending(db, pending, held?.id ?? null));
    if (pending.receipts.size > 0) wiped.owe();
    pending = nothingPending();
    wiped.settle();
  }
  /** Before a list is read: what could not be written is missing in it. */
  function tryFlush(): void {
    try {
      flush();
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
    }
  }
  const old = sweeper(db, write);
  const runsWhere = (sql: string, ...values: Value[]): RunRecord[] => {
    tryFlush();
    return read(sql, ...values).map(asRun);
  };

  return {
    name,
    id: text(read('SELECT id FROM identity')[0], 'id'),
    shared,
    degraded,
    putRun: (run) => void pending.runs.set(run.run_id, { ...run }),
    run(id) {
      const waiting = pending.runs.get(id);
      if (waiting) return { ...waiting };
      const [row] = read('SELECT * FROM runs WHERE run_id = ?', id);
      return row ? asRun(row) : null;
    },
    runs({ limit, session, status, since, principal, series }) {
      const { where, values } = some([
        ['session_id = ?', session],
        ['status = ?', status],
        ['created_at >= ?', since],
        ['principal = ?', principal],
        ['project = ?', series?.project],
        ['org = ?', series?.org],
      ]);
      return runsWhere(`SELECT * FROM runs ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`, ...values, limit);
    },
    runsOf: (session) => runsWhere('SELECT * FROM runs WHERE session_id = ? ORDER BY created_at, rowid', session),
    changes(after, limit) {
      const rows = read('SELECT * FROM runs WHERE changed > ? ORDER BY changed LIMIT ?', after, limit);
      return rows.map((row) => ({ position: number(row, 'changed'), run: asRun(row) }));
    },
    lastChange: () => number(read('SELECT position FROM feed')[0], 'position'),
    putSession: (session) => void pending.sessions.set(session.session_id, { ...session }),
    session(id) {
      const waiting = pending.sessions.get(id);
      if (waiting) return { ...waiting };
      const [row] = read('SELECT data FROM sessions WHERE session_id = ?', id);
      return row ? asSession(text(row, 'data')) : null;
    },
    sessions({ limit, cwd, since, principal }) {
      tryFlush();
      const { where, values } = some([
        ['cwd = ?', cwd],
        ['updated_at >= ?', since],
        ['principal = ?', principal],
      ]);
      const rows = read(
        `SELECT data FROM sessions ${where} ORDER BY updated_at DESC, rowid DESC LIMIT ?`,
        ...values,
        limit,
      );
      return rows.map((row) => asSession(text(row, 'data'))).filter((one): one is SessionRecord => one !== null);
    },
    dropSession(id) {
      flush();
      write(() => old.forget(id));
      // What it took is freed later, at the latest with the next sweep; a store in trouble has said so.
      old.clean().catch((error) => {
        if (!(error instanceof CoreError || error instanceof StoreError)) throw error;
      });
    },
    abandoned() {
      const alive = living();
      const sql = `SELECT * FROM runs WHERE status IN (${marks(OPEN)}) AND (holder IS NULL OR holder NOT IN (${marks(alive)}))`;
      return runsWhere(sql, ...OPEN, ...alive);
    },
    append: (run, entry) => void pending.entries.push({ run, entry }),
    events(run, after, most) {
      const sql = `SELECT seq, json FROM events WHERE run_id = ? AND ${NOT_FORGOTTEN} AND seq > ? ORDER BY seq LIMIT ?`;
      const found = read(sql, run, after, most.entries).flatMap((row) => {
        const event = readEvent(text(row, 'json'));
        return event === null ? [] : [{ seq: number(row, 'seq'), event }];
      });
      return within(found, most);
    },
    lastSeq: (run) => number(read('SELECT MAX(seq) AS last FROM events WHERE run_id = ?', run)[0], 'last'),
    putNote: (run, of, note) => void pending.notes.push({ run, name: of, note }),
    notes(run, of) {
      tryFlush();
      const rows = read(
        `SELECT json FROM notes WHERE run_id = ? AND ${NOT_FORGOTTEN} AND name = ? ORDER BY rowid`,
        run,
        of,
      );
      return rows.flatMap((row) => {
        const note = parseObject(text(row, 'json'));
        return note === undefined ? [] : [note];
      });
    },
    putLine: (line) => void pending.lines.push(line),
    ...orgLines(read),
    putKey: (key, value) => void pending.keys.set(key, value),
    putKeyed(name, key, instead, run) {
      flush();
      const both = nothingPending();
      both.keys.set(name, key);
      both.runs.set(run.run_id, { ...run });
      let isOurs = false;
      write(() => {
        const [row] = db.all('SELECT run_id FROM keys WHERE key = ?', name);
        isOurs = (row ? text(row, 'run_id') : null) === instead;
        if (isOurs) writePending(db, both, held?.id ?? null);
      });
      return isOurs;
    },
    key(key) {
      const waiting = pending.keys.get(key);
      if (waiting) return waiting;
      const [row] = read('SELECT * FROM keys WHERE key = ?', key);
      return row ? { fingerprint: text(row, 'fingerprint'), run_id: text(row, 'run_id'), at: number(row, 'at') } : null;
    },
    post: (mail) => void pending.mail.push(mail),
    mail(runs) {
      tryFlush();
      const sql = `SELECT * FROM mail WHERE receipt IS NULL AND run_id IN (${marks(runs)}) ORDER BY at, rowid`;
      return read(sql, ...runs).flatMap((row) => {
        const command = asCommand(text(row, 'command'));
        return command === null
          ? []
          : [{ id: text(row, 'id'), run_id: text(row, 'run_id'), at: number(row, 'at'), command }];
      });
    },
    putReceipt: (mail, receipt) => void pending.receipts.set(mail, receipt),
    receipt(mail) {
      const waiting = pending.receipts.get(mail);
      if (waiting) return waiting;
      const [row] = read('SELECT receipt FROM mail WHERE id = ?', mail);
      return asReceipt(text(row, 'receipt'));
    },
    find(query, top, principal) {
      const hits: Hit[] = [];
      const like = `%${query.replace(/[\\%_]/g, '\\$&')}%`;
      const { where, values } = some([
        ["(prompt LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\')", like],
        ['principal = ?', principal],
      ]);
      const sql = `SELECT * FROM runs ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`;
      for (const run of runsWhere(sql, like, ...values, top)) hits.push(...hitsIn(run, query));
      return hits.slice(0, top);
    },
    async sweep(retention) {
      flush();
      return old.sweep(retention);
    },
    commit() {
      // Whatever else is written in this turn of the event loop goes along.
      committing ??= new Promise((resolve, reject) => {
        setImmediate(() => {
          committing = null;
          try {
            flush();
            resolve();
          } catch (error) {
            reject(error);
          }
        });
      });
      return committing;
    },
    takeBack({ run, session, key }) {
      pending.runs.delete(run);
      if (session !== undefined) pending.sessions.delete(session);
      if (key !== undefined) pending.keys.delete(key);
    },
    close() {
      old.stop();
      try {
        flush();
        held?.leave();
        // Whoever copies the file alone has everything. A reader may keep some of it in the log: it is not lost there.
        if (held) db.checkpoint();
      } finally {
        db.close();
      }
    },
  };
}
