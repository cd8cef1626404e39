/** Keeps everything in one SQLite file. Events are written in batches: a sudden death loses at most the last 50 ms of them. */

import { type Hit, isOver, type LogEntry, RUN_STATUSES, type RunRecord, type SessionRecord } from '../records.js';
import { type Database, type Row, sqlite, type Value } from './database.js';
import { claim, enter, type Hold, holderOf } from './hold.js';
import { openToRead, openToWrite } from './open-database.js';
import { asRun, asSession } from './rows.js';
import { hitsIn, type Store } from './store.js';

const BATCH_MS = 50;
const BATCH = 500;

export interface SqliteOptions {
  path: string;
  /** How we can be reached: told to whoever finds the store taken. */
  what: string;
  /** Other processes may work with it too. */
  shared?: boolean;
  /** Hears that something could not be written; it is tried again. */
  complain(message: string): void;
}

interface Pending {
  run: string;
  entry: LogEntry;
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
    store: storeOver(db, path, () => {}, null),
    /** Whether a process that lives works with it. */
    held: () => holderOf(connect, path).held,
  };
}

/** @throws StoreError */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const { path, what, complain } = options;
  const connect = await sqlite();
  const claimed = claim(connect, { path, what, shared: options.shared === true });
  let db: Database | null = null;
  try {
    db = openToWrite(connect, path, complain);
    const held = enter(connect, db, claimed);
    const store = storeOver(db, path, complain, held);
    return {
      ...store,
      close() {
        try {
          store.flush();
          held.leave();
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
const marks = (list: readonly unknown[]): string => list.map(() => '?').join(', ');

function storeOver(db: Database, name: string, complain: (message: string) => void, held: Hold | null): Store {
  let pending: Pending[] = [];
  /** What could not be written yet. */
  const unsaved = new Map<string, RunRecord>();
  let timer: NodeJS.Timeout | null = null;
  let complained = false;

  function guarded(work: () => void): boolean {
    try {
      work();
      complained = false;
      return true;
    } catch (error) {
      if (!complained)
        complain(`the store can't be written: ${error instanceof Error ? error.message : String(error)}`);
      complained = true;
      return false;
    }
  }
  /** The only way in. */
  function write(work: () => void): void {
    db.transaction(() => {
      held?.fence();
      work();
    });
  }
  function writeRun(run: RunRecord): void {
    const { run_id, session_id, status, created_at, ended_at, prompt, text: said, ...rest } = run;
    db.run(
      `INSERT INTO runs (run_id, session_id, status, created_at, ended_at, prompt, text, data, holder) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, text = excluded.text, data = excluded.data`,
      run_id,
      session_id,
      status,
      created_at,
      ended_at,
      prompt,
      said,
      JSON.stringify(rest),
      held?.id ?? null,
    );
  }
  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending.length === 0 && unsaved.size === 0) return;
    const batch = pending;
    const written = guarded(() =>
      write(() => {
        for (const run of unsaved.values()) writeRun(run);
        for (const { run, entry } of batch)
          db.run('INSERT OR REPLACE INTO events (run_id, seq, json) VALUES (?, ?, ?)', run, entry.seq, entry.json);
      }),
    );
    if (!written) return;
    pending = [];
    unsaved.clear();
  }
  /** Events first, and with them what stands under `RUN/NAME`: a name of a run has no slash. */
  function forget(which: string, value: Value): void {
    const ids = `SELECT run_id FROM runs WHERE ${which}`;
    db.run(`DELETE FROM events WHERE run_id IN (${ids})`, value);
    db.run(
      `DELETE FROM events WHERE instr(run_id, '/') > 0 AND substr(run_id, 1, instr(run_id, '/') - 1) IN (${ids})`,
      value,
    );
    db.run(`DELETE FROM runs WHERE ${which}`, value);
  }
  const runsWhere = (sql: string, ...values: Value[]): RunRecord[] => {
    flush();
    return db.all(sql, ...values).map(asRun);
  };

  return {
    name,
    putRun(run) {
      unsaved.set(run.run_id, { ...run });
      // Ends and beginnings at once; what is between may be lost with us.
      flush();
    },
    run: (id) => unsaved.get(id) ?? runsWhere('SELECT * FROM runs WHERE run_id = ?', id)[0] ?? null,
    runs({ limit, session, status, since }) {
      const { where, values } = some([
        ['session_id = ?', session],
        ['status = ?', status],
        ['created_at >= ?', since],
      ]);
      return runsWhere(`SELECT * FROM runs ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`, ...values, limit);
    },
    runsOf: (session) => runsWhere('SELECT * FROM runs WHERE session_id = ? ORDER BY created_at, rowid', session),
    putSession(session) {
      const { session_id, cwd, updated_at } = session;
      guarded(() =>
        write(() =>
          db.run(
            'INSERT OR REPLACE INTO sessions (session_id, cwd, updated_at, data) VALUES (?, ?, ?, ?)',
            session_id,
            cwd,
            updated_at,
            JSON.stringify(session),
          ),
        ),
      );
    },
    session(id) {
      const [row] = db.all('SELECT data FROM sessions WHERE session_id = ?', id);
      return row ? asSession(text(row, 'data')) : null;
    },
    sessions({ limit, cwd, since }) {
      const { where, values } = some([
        ['cwd = ?', cwd],
        ['updated_at >= ?', since],
      ]);
      const rows = db.all(
        `SELECT data FROM sessions ${where} ORDER BY updated_at DESC, rowid DESC LIMIT ?`,
        ...values,
        limit,
      );
      return rows.map((row) => asSession(text(row, 'data'))).filter((one): one is SessionRecord => one !== null);
    },
    dropSession(id) {
      flush();
      guarded(() =>
        write(() => {
          forget('session_id = ?', id);
          db.run('DELETE FROM sessions WHERE session_id = ?', id);
        }),
      );
    },
    abandoned() {
      const alive = held?.alive() ?? [];
      const sql = `SELECT * FROM runs WHERE status IN (${marks(OPEN)}) AND (holder IS NULL OR holder NOT IN (${marks(alive)}))`;
      return runsWhere(sql, ...OPEN, ...alive);
    },
    append(run, entry) {
      pending.push({ run, entry });
      if (pending.length % BATCH === 0) flush();
      else timer ??= setTimeout(flush, BATCH_MS);
    },
    events(run, after, most) {
      flush();
      const sql = 'SELECT seq, json FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?';
      const kept = db.all(sql, run, after, most).map((row) => ({ seq: number(row, 'seq'), json: text(row, 'json') }));
      if (pending.length === 0 || kept.length === most) return kept;
      const last = kept.at(-1)?.seq ?? after;
      const rest = pending.filter((one) => one.run === run && one.entry.seq > last).map(({ entry }) => entry);
      return [...kept, ...rest].slice(0, most);
    },
    putKey(key, { fingerprint, run_id, at }) {
      const sql = 'INSERT OR REPLACE INTO keys (key, fingerprint, run_id, at) VALUES (?, ?, ?, ?)';
      guarded(() => write(() => db.run(sql, key, fingerprint, run_id, at)));
    },
    key(key) {
      const [row] = db.all('SELECT * FROM keys WHERE key = ?', key);
      return row ? { fingerprint: text(row, 'fingerprint'), run_id: text(row, 'run_id'), at: number(row, 'at') } : null;
    },
    find(query, top) {
      const hits: Hit[] = [];
      const like = `%${query.replace(/[\\%_]/g, '\\$&')}%`;
      const matches = "(prompt LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\')";
      const sql = `SELECT * FROM runs WHERE ${matches} ORDER BY created_at DESC, rowid DESC LIMIT ?`;
      for (const run of runsWhere(sql, like, like, top)) hits.push(...hitsIn(run, query));
      return hits.slice(0, top);
    },
    prune(before, oldKeys) {
      flush();
      guarded(() =>
        write(() => {
          forget('ended_at < ?', before);
          db.run(
            'DELETE FROM sessions WHERE updated_at < ? AND session_id NOT IN (SELECT session_id FROM runs)',
            before,
          );
          db.run('DELETE FROM keys WHERE at < ?', oldKeys);
        }),
      );
      guarded(() => db.exec('PRAGMA incremental_vacuum'));
    },
    flush,
    close() {
      flush();
      // Whoever copies the file alone has everything. A reader may keep some of it in the log: it is not lost there.
      if (held) guarded(() => void db.checkpoint());
      db.close();
    },
  };
}
