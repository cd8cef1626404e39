/** What was put and is not in the file yet, and how it is written. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { entryLine } from '../entry-line.js';
import {
  type IdempotencyKey,
  isOver,
  type LogEntry,
  type Mail,
  type Receipt,
  type RunRecord,
  type SessionRecord,
} from '../records.js';
import type { Database } from './database.js';
import type { OrgLine } from './store.js';

export interface Pending {
  readonly runs: Map<string, RunRecord>;
  readonly sessions: Map<string, SessionRecord>;
  readonly keys: Map<string, IdempotencyKey>;
  readonly entries: { run: string; entry: LogEntry }[];
  readonly notes: { run: string; name: string; note: JsonObject }[];
  readonly lines: OrgLine[];
  readonly mail: Mail[];
  readonly receipts: Map<string, Receipt>;
  size(): number;
}

export function nothingPending(): Pending {
  const pending: Pending = {
    runs: new Map(),
    sessions: new Map(),
    keys: new Map(),
    entries: [],
    notes: [],
    lines: [],
    mail: [],
    receipts: new Map(),
    size() {
      const { runs, sessions, keys, entries, notes, lines, mail, receipts } = pending;
      const lists = entries.length + notes.length + lines.length + mail.length;
      return runs.size + sessions.size + keys.size + receipts.size + lists;
    },
  };
  return pending;
}

function writeRun(db: Database, run: RunRecord, holder: string | null): void {
  const { run_id, session_id, status, created_at, ended_at, prompt, text: said, principal } = run;
  const { run_id: _id, session_id: _session, status: _status, prompt: _prompt, text: _text, ...rest } = run;
  db.run('UPDATE feed SET position = position + 1');
  db.run(
    `INSERT INTO runs (run_id, session_id, status, created_at, ended_at, prompt, text, data, holder, principal, changed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT position FROM feed))
       ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, text = excluded.text,
         data = excluded.data, changed = excluded.changed`,
    run_id,
    session_id,
    status,
    created_at,
    ended_at,
    prompt,
    said,
    JSON.stringify(rest),
    holder,
    principal,
  );
}
function writeSession(db: Database, session: SessionRecord): void {
  db.run(
    'INSERT OR REPLACE INTO sessions (session_id, cwd, updated_at, data, principal) VALUES (?, ?, ?, ?, ?)',
    session.session_id,
    session.cwd,
    session.updated_at,
    JSON.stringify(session),
    session.principal,
  );
}
/** @param holder marks the runs that we work on; null when the store is ours alone */
export function writePending(db: Database, pending: Pending, holder: string | null): void {
  const { runs, sessions, keys, entries, notes, lines, mail, receipts } = pending;
  for (const run of runs.values()) writeRun(db, run, holder);
  for (const session of sessions.values()) writeSession(db, session);
  for (const [key, { fingerprint, run_id, at }] of keys)
    db.run(
      'INSERT OR REPLACE INTO keys (key, fingerprint, run_id, at) VALUES (?, ?, ?, ?)',
      key,
      fingerprint,
      run_id,
      at,
    );
  // Two processes may find the same run without an end: the first end stays.
  for (const { run, entry } of entries)
    db.run('INSERT OR IGNORE INTO events (run_id, seq, json) VALUES (?, ?, ?)', run, entry.seq, entryLine(entry.event));
  for (const { run, name: of, note } of notes)
    db.run('INSERT INTO notes (run_id, name, json) VALUES (?, ?, ?)', run, of, JSON.stringify(note));
  for (const { id, project, org, run, run_id, at, json } of lines)
    db.run(
      'INSERT OR IGNORE INTO org_lines (id, project, org, run, run_id, at, json) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[id, project, org, run, run_id, at, json],
    );
  for (const { id, run_id, at, command } of mail)
    db.run(
      'INSERT OR IGNORE INTO mail (id, run_id, at, command) VALUES (?, ?, ?, ?)',
      id,
      run_id,
      at,
      JSON.stringify(command),
    );
  // A command may hold a secret answer: once it is delivered, or nothing is left to deliver it to, its text goes.
  for (const run of runs.values())
    if (isOver(run.status)) db.run("UPDATE mail SET command = '' WHERE run_id = ? AND command <> ''", run.run_id);
  for (const [id, receipt] of receipts)
    db.run("UPDATE mail SET receipt = ?, command = '' WHERE id = ?", JSON.stringify(receipt), id);
}
