/** Keeps everything in one SQLite file. Events are written in batches: a sudden death loses at most the last 50 ms of them. */

import { parseObject } from '../../../text/json.js';
import type { Hit, LogEntry, RunRecord, SessionRecord } from '../records.js';
import { type Database, openDatabase, type Row, StoreError, type Value } from './database.js';
import { isAlive, type Owner, ourselves } from './owner.js';
import { asRun, asSession } from './rows.js';
import { hitsIn, type Store } from './store.js';

const BATCH_MS = 50;
const BATCH = 500;

export interface SqliteOptions {
  path: string;
  /** How we can be reached: told to whoever finds the store taken. */
  what: string;
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

/** Takes the store for us. @throws StoreError locked, with who holds it */
function take(db: Database, { path, what }: SqliteOptions): void {
  db.transaction(() => {
    const [row] = db.all('SELECT data FROM owner');
    const owner = row ? ownerOf(text(row, 'data')) : null;
    if (owner && owner.pid !== process.pid && isAlive(owner)) {
      const since = new Date(owner.since).toISOString();
      throw new StoreError(
        'locked',
        `the store ${path} is held by process ${owner.pid} (${owner.what}, since ${since})`,
      );
    }
    db.run('INSERT OR REPLACE INTO owner (one, data) VALUES (1, ?)', JSON.stringify(ourselves(what)));
  });
}

function ownerOf(json: string): Owner | null {
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

/** Only reads, beside a server that may be writing. @throws StoreError */
export async function readSqlite(path: string): Promise<{ store: Store; held(): boolean }> {
  const db = await openDatabase(path, true);
  return {
    store: storeOver(db, path, () => {}),
    /** Whether a server that lives holds it. */
    held() {
      const [row] = db.all('SELECT data FROM owner');
      const owner = row ? ownerOf(text(row, 'data')) : null;
      return owner !== null && isAlive(owner);
    },
  };
}

/** @throws StoreError */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const db = await openDatabase(options.path);
  try {
    take(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
  const store = storeOver(db, options.path, options.complain);
  return {
    ...store,
    close() {
      store.flush();
      db.run('DELETE FROM owner');
      store.close();
    },
  };
}

function storeOver(db: Database, name: string, complain: (message: string) => void): Store {
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
  function writeRun(run: RunRecord): void {
    const { run_id, session_id, status, created_at, ended_at, prompt, text: said, ...rest } = run;
    db.run(
      `INSERT INTO runs (run_id, session_id, status, created_at, ended_at, prompt, text, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, text = excluded.text, data = excluded.data`,
      run_id,
      session_id,
      status,
      created_at,
      ended_at,
      prompt,
      said,
      JSON.stringify(rest),
    );
  }
  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending.length === 0 && unsaved.size === 0) return;
    const batch = pending;
    const written = guarded(() =>
      db.transaction(() => {
        for (const run of unsaved.values()) writeRun(run);
        for (const { run, entry } of batch)
          db.run('INSERT OR REPLACE INTO events (run_id, seq, json) VALUES (?, ?, ?)', run, entry.seq, entry.json);
      }),
    );
    if (!written) return;
    pending = [];
    unsaved.clear();
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
        db.run(
          'INSERT OR REPLACE INTO sessions (session_id, cwd, updated_at, data) VALUES (?, ?, ?, ?)',
          session_id,
          cwd,
          updated_at,
          JSON.stringify(session),
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
      guarded(() => db.run(sql, key, fingerprint, run_id, at));
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
        db.transaction(() => {
          db.run('DELETE FROM events WHERE run_id IN (SELECT run_id FROM runs WHERE ended_at < ?)', before);
          db.run('DELETE FROM runs WHERE ended_at < ?', before);
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
      db.close();
    },
  };
}
