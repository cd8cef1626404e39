/** Who belongs to the cluster, and what is under way in it. Times are the server's. */

import type { Engine } from '../engine.js';
import { decode } from '../stored.js';
import type { PgBase } from './connect.js';

/** Runs that are looked at in one go. */
const LOOK = 5000;
const UNTIL = "now() + $3 * interval '1 millisecond'";

type Members = Pick<
  Engine,
  'load' | 'open' | 'beat' | 'members' | 'leave' | 'setDraining' | 'isDraining' | 'lead' | 'queues'
>;

export function pgMembers({ all, one, tell }: PgBase): Members {
  return {
    async load() {
      const sql = 'SELECT count(*) FILTER (WHERE epoch = 0) AS queued, count(*) AS all FROM runs WHERE NOT over';
      const row = await one(sql);
      const queued = Number(row?.['queued']);
      return { queued, claimed: Number(row?.['all']) - queued };
    },
    async open() {
      const sql = `SELECT id, session, queue, ticket, worker, epoch, n = min(n) OVER (PARTITION BY session) AS first
        FROM runs WHERE NOT over ORDER BY n LIMIT $1`;
      return (await all(sql, LOOK)).map((row) => ({
        run: String(row['id']),
        session: String(row['session']),
        queue: String(row['queue']),
        ticket: Number(row['ticket']),
        worker: typeof row['worker'] === 'string' ? row['worker'] : null,
        first: row['first'] === true,
      }));
    },
    async beat(member, ttlMs) {
      const sql = `INSERT INTO members (id, instance, until, says) VALUES ($1, $2, ${UNTIL}, $4)
        ON CONFLICT (id) DO UPDATE SET instance = $2, until = ${UNTIL}, says = $4
        WHERE members.instance = $2 OR members.until < now() RETURNING id`;
      return (await one(sql, member.id, member.instance, ttlMs, JSON.stringify(member))) !== null;
    },
    async members() {
      const rows = await all('SELECT says FROM members WHERE until >= now() ORDER BY id');
      return rows.map((row) => decode('member', String(row['says'])));
    },
    async leave({ id, instance }) {
      await all('DELETE FROM members WHERE id = $1 AND instance = $2', id, instance);
    },
    async setDraining(id, draining) {
      if (draining) await all('INSERT INTO draining VALUES ($1) ON CONFLICT DO NOTHING', id);
      else await all('DELETE FROM draining WHERE id = $1', id);
      await tell('asked');
    },
    async isDraining(id) {
      return (await one('SELECT 1 AS one FROM draining WHERE id = $1', id)) !== null;
    },
    async lead(instance, ttlMs) {
      const sql = `INSERT INTO leader (one, instance, until) VALUES ($1, $2, ${UNTIL})
        ON CONFLICT (one) DO UPDATE SET instance = $2, until = ${UNTIL}
        WHERE leader.instance = $2 OR leader.until < now() RETURNING one`;
      return (await one(sql, 1, instance, ttlMs)) !== null;
    },
    async queues() {
      return (await all('SELECT name FROM queues ORDER BY name')).map(({ name }) => String(name));
    },
  };
}
