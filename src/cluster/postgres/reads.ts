/** What is read of runs and sessions, and what is kept beside them. */

import type { RunRecord, SessionRecord } from '../../runs/records.js';
import { parseObject } from '../../text/json.js';
import type { Engine, Reads } from '../engine.js';
import { gathered } from '../gathered.js';
import { decode } from '../stored.js';
import type { PgBase, Row } from './connect.js';

/** Entries that are asked for at once. */
const CHUNK = 256;

const asRun = (row: Row): RunRecord => ({
  ...decode('run', String(row['record'])),
  last_seq: Number(row['seq']),
});

function asSession(row: Row): SessionRecord {
  const session = decode('session', String(row['record']));
  const { native, runtime, updated } = row;
  return {
    ...session,
    ...(typeof native === 'string' ? { native_id: native } : {}),
    ...(typeof runtime === 'string' ? { runtime } : {}),
    ...(updated == null ? {} : { updated_at: Math.max(Number(updated), session.updated_at) }),
  };
}

export function pgReads({ all, one, step }: PgBase): Reads & Pick<Engine, 'attendees'> {
  return {
    async run(id) {
      const row = await one('SELECT record, seq FROM runs WHERE id = $1', id);
      return row === null ? null : asRun(row);
    },
    async attendees(run) {
      return (await all('SELECT id FROM attendees WHERE run = $1', run)).map(({ id }) => String(id));
    },
    async logState(id) {
      const row = await one('SELECT over, seq, archived FROM runs WHERE id = $1', id);
      if (row === null) return null;
      return { last: Number(row['seq']), over: row['over'] === true, archived: row['archived'] === true };
    },
    events: (id, after, limits) =>
      gathered(after, limits, CHUNK, async (from, count) => {
        const sql = 'SELECT seq, line FROM events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3';
        const some = await all(sql, id, from, count);
        return some.map((row) => ({ seq: Number(row['seq']), event: decode('event', String(row['line'])) }));
      }),
    async unsealed(before, limit) {
      const sql = 'SELECT record, seq FROM runs WHERE over AND NOT archived AND ended < $1 ORDER BY ended LIMIT $2';
      return (await all(sql, before, limit)).map(asRun);
    },
    seal: (id) =>
      step(async (on) => {
        const sealed = await on.one('UPDATE runs SET archived = true WHERE id = $1 AND over RETURNING id', id);
        if (sealed) await on.all('DELETE FROM events WHERE run = $1', id);
      }),
    async runsBefore(place, limit) {
      const sql = 'SELECT n, record, seq FROM runs WHERE $1::bigint IS NULL OR n < $1 ORDER BY n DESC LIMIT $2';
      return (await all(sql, place, limit)).map((row) => ({ place: Number(row['n']), run: asRun(row) }));
    },
    async runsOf(session) {
      return (await all('SELECT record, seq FROM runs WHERE session = $1 ORDER BY n', session)).map(asRun);
    },
    async changes(after, limit) {
      const sql = 'SELECT position, record, seq FROM runs WHERE position > $1 ORDER BY position LIMIT $2';
      return (await all(sql, after, limit)).map((row) => ({ position: Number(row['position']), run: asRun(row) }));
    },
    async lastChange() {
      return Number((await one('SELECT coalesce(max(position), 0) AS last FROM runs'))?.['last']);
    },
    async key(key) {
      const sql = 'SELECT run, fingerprint FROM keys WHERE key = $1 AND (until IS NULL OR until > now())';
      const row = await one(sql, key);
      return row === null ? null : { run_id: String(row['run']), fingerprint: String(row['fingerprint']) };
    },
    async putSession(session) {
      const sql = `INSERT INTO sessions (id, record, place) VALUES ($1, $2, nextval('places')) ON CONFLICT (id)
        DO UPDATE SET record = $2, native = NULL, runtime = NULL, updated = NULL, place = nextval('places')`;
      await all(sql, session.session_id, JSON.stringify(session));
    },
    async session(id) {
      const row = await one('SELECT * FROM sessions WHERE id = $1', id);
      return row === null ? null : asSession(row);
    },
    async homeOf(session) {
      const home = (await one('SELECT home FROM sessions WHERE id = $1', session))?.['home'];
      return typeof home === 'string' ? home : null;
    },
    async sessionsBefore(place, limit) {
      const sql = 'SELECT * FROM sessions WHERE $1::bigint IS NULL OR place < $1 ORDER BY place DESC LIMIT $2';
      return (await all(sql, place, limit)).map((row) => ({ place: Number(row['place']), session: asSession(row) }));
    },
    dropSession: (id, idle = false) =>
      step(async (on) => {
        const runs = await on.all('SELECT id, over FROM runs WHERE session = $1 FOR UPDATE', id);
        if (idle && runs.some(({ over }) => over !== true)) return false;
        const ids = runs.map((row) => String(row['id']));
        for (const table of ['events', 'notes', 'attendees', 'box', 'keys'] as const)
          await on.all(`DELETE FROM ${table} WHERE run = ANY($1)`, ids);
        await on.all('DELETE FROM runs WHERE session = $1', id);
        await on.all('DELETE FROM sessions WHERE id = $1', id);
        return true;
      }),
    async note(run, name, note) {
      await all('INSERT INTO notes (run, name, note) VALUES ($1, $2, $3)', run, name, JSON.stringify(note));
    },
    async notes(run, name) {
      const rows = await all('SELECT note FROM notes WHERE run = $1 AND name = $2 ORDER BY n', run, name);
      return rows.flatMap((row) => {
        const kept = parseObject(String(row['note']));
        return kept === undefined ? [] : [kept];
      });
    },
  };
}
