/** PostgreSQL as the store of a cluster: each step is a transaction; locks stand for what Redis does by being one thread. */

import { entryLine } from '../../runs/entry-line.js';
import { isOver } from '../../runs/records.js';
import { KEYS_MS } from '../../runs/retention.js';
import type { Attended, Due, Engine } from '../engine.js';
import { shownUrl } from '../shown-url.js';
import { decode } from '../stored.js';
import type { Asks, PgBase, Row } from './connect.js';
import { pgMail } from './mail.js';
import { pgMembers } from './members.js';
import { pgReads } from './reads.js';
import { LOCKS } from './schema.js';

const text = (row: Row | null, name: string): string => String(row?.[name] ?? '');

/** The next run of a session, when it waits. */
async function dueOf(on: Asks, session: string): Promise<Due | null> {
  const sql = 'SELECT id, epoch, queue, ticket FROM runs WHERE session = $1 AND NOT over ORDER BY n LIMIT 1';
  const next = await on.one(sql, session);
  if (!next || Number(next['epoch']) !== 0) return null;
  return { run: text(next, 'id'), queue: text(next, 'queue'), ticket: Number(next['ticket']) };
}

/** Held until the transaction is over, so that positions grow in the order in which changes can be seen. */
async function position(on: Asks): Promise<number> {
  await on.all('SELECT pg_advisory_xact_lock($1)', LOCKS.changes);
  return Number((await on.one("SELECT nextval('positions') AS n"))?.['n']);
}

const lockSession = (on: Asks, session: string) =>
  on.all('SELECT pg_advisory_xact_lock($1, hashtext($2))', LOCKS.accept, session);

async function attending(on: Asks, run: string): Promise<Attended> {
  const row = await on.one(
    `SELECT r.over, r.detached, r.key, count(a.id) AS waiting, count(a.id) FILTER (WHERE a.hearing) AS hearing
     FROM runs r LEFT JOIN attendees a ON a.run = r.id WHERE r.id = $1 GROUP BY r.n`,
    run,
  );
  return {
    waiting: Number(row?.['waiting'] ?? 0),
    hearing: Number(row?.['hearing'] ?? 0),
    detached: row?.['detached'] === true,
    over: row === null || row['over'] === true,
    keyed: text(row, 'key') !== '',
  };
}

export function postgresEngine(url: string, base: PgBase): Engine {
  const { step } = base;
  return {
    name: shownUrl(url),
    id: base.id,
    degraded: base.degraded,
    // How much room its disk has is not for us to see.
    short: async () => null,
    ...pgReads(base),
    ...pgMail(base),
    ...pgMembers(base),
    tell: base.tell,
    listen: base.listen,
    close: base.close,

    accept: ({ record, turn, queue, session, key, whenBusy, most, attendee }) =>
      step(async (on) => {
        await on.all('SELECT pg_advisory_xact_lock($1)', LOCKS.accept);
        const { run_id: id, session_id } = record;
        await lockSession(on, session_id);
        if (key) {
          const sql = `SELECT k.run, k.fingerprint, r.ended_by FROM keys k JOIN runs r ON r.id = k.run
            WHERE k.key = $1 AND (k.until IS NULL OR k.until > now())`;
          const known = await on.one(sql, key.key);
          if (known && known['fingerprint'] !== key.fingerprint)
            return { kind: 'refused', reason: 'conflict', waiting: 0 };
          if (known && known['ended_by'] !== 'disconnect') return { kind: 'known', run: text(known, 'run') };
        }
        if (!session && !(await on.one('SELECT 1 AS one FROM sessions WHERE id = $1', session_id)))
          return { kind: 'refused', reason: 'not-found', waiting: 0 };
        if (
          whenBusy === 'refuse' &&
          (await on.one('SELECT 1 AS one FROM runs WHERE session = $1 AND NOT over', session_id))
        )
          return { kind: 'refused', reason: 'session-busy', waiting: 0 };
        const caller = `${record.surface}\n${record.principal}`;
        const counts = await on.one(
          'SELECT count(*) AS all, count(*) FILTER (WHERE caller = $1) AS own FROM runs WHERE NOT over AND epoch = 0',
          caller,
        );
        const [waiting, own] = [Number(counts?.['all']), Number(counts?.['own'])];
        if (waiting >= most.all || own >= most.caller)
          return { kind: 'refused', reason: 'busy', waiting: waiting >= most.all ? waiting : own };
        const sql = "SELECT coalesce(max(next), 0) AS ticket FROM tickets WHERE caller IN ($1, '')";
        const ticket = Number((await on.one(sql, caller))?.['ticket']) + 1;
        await on.all(
          'INSERT INTO tickets VALUES ($1, $2) ON CONFLICT (caller) DO UPDATE SET next = $2',
          caller,
          ticket,
        );
        if (session) {
          const put = "INSERT INTO sessions (id, record, place) VALUES ($1, $2, nextval('places'))";
          await on.all(put, session_id, JSON.stringify(session));
        } else await on.all("UPDATE sessions SET place = nextval('places') WHERE id = $1", session_id);
        await on.all(
          `INSERT INTO runs (id, session, status, record, turn, caller, ticket, queue, key, detached, position)
           VALUES ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10)`,
          ...[id, session_id, JSON.stringify(record), JSON.stringify(turn), caller, ticket, queue, key?.key ?? ''],
          attendee === null,
          await position(on),
        );
        await on.all('INSERT INTO queues VALUES ($1) ON CONFLICT DO NOTHING', queue);
        if (key) {
          const put = `INSERT INTO keys (key, run, fingerprint) VALUES ($1, $2, $3)
            ON CONFLICT (key) DO UPDATE SET run = $2, fingerprint = $3, until = NULL`;
          await on.all(put, key.key, id, key.fingerprint);
        }
        if (attendee !== null) await on.all('INSERT INTO attendees (run, id) VALUES ($1, $2)', id, attendee);
        await on.tell('changes');
        const due = await dueOf(on, session_id);
        return { kind: 'accepted', due: due?.run === id ? due : null };
      }),

    attend: (run, how) =>
      step(async (on) => {
        const found = await on.one('SELECT over FROM runs WHERE id = $1 FOR UPDATE', run);
        if (found && found['over'] !== true) {
          switch (how.op) {
            case 'attend':
              await on.all('INSERT INTO attendees (run, id) VALUES ($1, $2) ON CONFLICT DO NOTHING', run, how.id);
              break;
            case 'deaf':
              await on.all('UPDATE attendees SET hearing = false WHERE run = $1 AND id = $2', run, how.id);
              break;
            case 'leave':
              await on.all('DELETE FROM attendees WHERE run = $1 AND id = $2', run, how.id);
              break;
            case 'detach':
              await on.all('UPDATE runs SET detached = true WHERE id = $1', run);
              break;
            case 'look':
              break;
            default: {
              const never: never = how;
              return never;
            }
          }
        }
        return attending(on, run);
      }),

    claim: (run, worker) =>
      step(async (on) => {
        const row = await on.one('SELECT * FROM runs WHERE id = $1 FOR UPDATE', run);
        if (!row) return { kind: 'unknown' };
        if (row['over'] === true) return { kind: 'over' };
        const epoch = Number(row['epoch']) + 1;
        await on.all('UPDATE runs SET epoch = $2, worker = $3 WHERE id = $1', run, epoch, worker);
        const record = { ...decode('run', text(row, 'record')), last_seq: Number(row['seq']) };
        if (epoch > 1) return { kind: 'lost', epoch, record };
        const waits = await on.one('SELECT 1 AS one FROM runs WHERE NOT over AND epoch = 0 LIMIT 1');
        if (!waits) await on.all('DELETE FROM tickets');
        else {
          const put = `INSERT INTO tickets VALUES ('', $1)
            ON CONFLICT (caller) DO UPDATE SET next = greatest(tickets.next, $1)`;
          await on.all(put, Number(row['ticket']) - 1);
        }
        if (!worker.startsWith('front:')) {
          const home = worker.slice(0, worker.lastIndexOf('#'));
          await on.all('UPDATE sessions SET home = coalesce(home, $2) WHERE id = $1', text(row, 'session'), home);
        }
        const box = await on.all('DELETE FROM box WHERE run = $1 RETURNING n, mail, letter', run);
        box.sort((a, b) => Number(a['n']) - Number(b['n']));
        const kept = box.flatMap((one) => {
          const command = decode('letter', text(one, 'letter'));
          return command.type === 'deaf' ? [] : [{ mail: text(one, 'mail'), command }];
        });
        const turn = decode('turn', text(row, 'turn'));
        return { kind: 'begin', epoch, record, turn, attending: await attending(on, run), kept };
      }),

    append: ({ run, epoch, entries, record, learned }) =>
      step(async (on) => {
        const row = await on.one(
          'SELECT status, over, epoch, seq, session, key FROM runs WHERE id = $1 FOR UPDATE',
          run,
        );
        if (!row || Number(row['epoch']) !== epoch) return { kind: 'fenced' };
        const [seq, session, over] = [Number(row['seq']), text(row, 'session'), isOver(record.status)];
        const last = entries.at(-1)?.seq ?? seq;
        if (row['over'] === true)
          return seq >= last && over ? { kind: 'ok', due: await dueOf(on, session) } : { kind: 'fenced' };
        if ((entries[0]?.seq ?? 0) > seq + 1) return { kind: 'behind', last: seq };
        const fresh = entries.filter((entry) => entry.seq > seq);
        if (fresh.length > 0) {
          const sql = 'INSERT INTO events SELECT $1, unnest($2::bigint[]), unnest($3::text[])';
          const lines = fresh.map(({ event }) => entryLine(event));
          await on.all(
            sql,
            run,
            fresh.map((entry) => entry.seq),
            lines,
          );
        }
        const now = Math.max(seq, last);
        const at = [run, now, JSON.stringify(record), record.status, over, record.ended_by ?? ''] as const;
        await on.all(
          'UPDATE runs SET seq = $2, record = $3, status = $4, over = $5, ended_by = $6 WHERE id = $1',
          ...at,
        );
        const said = [session, learned.native ?? null, learned.runtime ?? null] as const;
        if (learned.native !== undefined || learned.runtime !== undefined) {
          const sql =
            'UPDATE sessions SET native = coalesce($2, native), runtime = coalesce($3, runtime) WHERE id = $1';
          await on.all(sql, ...said);
        }
        let due: Due | null = null;
        if (over) {
          await lockSession(on, session);
          await on.all(
            'UPDATE runs SET turn = NULL, ended = $2 WHERE id = $1',
            run,
            record.ended_at ?? record.updated_at,
          );
          await on.all('DELETE FROM attendees WHERE run = $1', run);
          await on.all('DELETE FROM box WHERE run = $1', run);
          const used = "UPDATE sessions SET updated = $2, place = nextval('places') WHERE id = $1";
          await on.all(used, session, record.ended_at ?? record.updated_at);
          const keep = "UPDATE keys SET until = now() + $2 * interval '1 millisecond' WHERE key = $1";
          if (text(row, 'key') !== '') await on.all(keep, text(row, 'key'), KEYS_MS);
          due = await dueOf(on, session);
        }
        if (record.status !== text(row, 'status')) {
          await on.all('UPDATE runs SET position = $2 WHERE id = $1', run, await position(on));
          await on.tell('changes');
        }
        await on.tell(`run:${run}`);
        return { kind: 'ok', due };
      }),
  };
}
