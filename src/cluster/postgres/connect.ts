/** Connections to PostgreSQL: a pool for questions, and one that hears what others tell. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { CoreError } from '../../runs/failure.js';
import type { Topic } from '../engine.js';
import { shownUrl } from '../shown-url.js';
import { FORMAT } from '../stored.js';
import { LOCKS, TABLES } from './schema.js';

/** Milliseconds: how long a question waits for one of the connections, and the pause before a lost one is tried again. */
const CONNECT_MS = 30_000;
const AGAIN_MS = 500;
const MOST_CONNECTIONS = 8;

type Value = string | number | boolean | null | readonly string[] | readonly number[];
export type Row = Readonly<Record<string, unknown>>;

/** What asks: a transaction, or the pool. */
export interface Asks {
  all(sql: string, ...values: Value[]): Promise<Row[]>;
  one(sql: string, ...values: Value[]): Promise<Row | null>;
}

export interface PgBase extends Asks {
  id: string;
  /** One transaction; what it tells is heard when it is over. @throws {CoreError} store */
  step<T>(work: (on: Asks & { tell(topic: Topic): Promise<void> }) => Promise<T>): Promise<T>;
  listen(topic: Topic, hear: () => void): Promise<() => void>;
  tell(topic: Topic): Promise<void>;
  degraded(): string | null;
  close(): Promise<void>;
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const failed = (error: unknown): CoreError =>
  error instanceof CoreError ? error : new CoreError('store', `the store of the cluster: ${reason(error)}`);

const asks = (client: pg.Pool | pg.PoolClient): Asks => ({
  async all(sql, ...values) {
    const { rows } = await client.query<Row>(sql, [...values]);
    return rows;
  },
  async one(sql, ...values) {
    const { rows } = await client.query<Row>(sql, [...values]);
    return rows[0] ?? null;
  },
});

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|)$/;

/**
 * Opens, checks and makes the tables.
 * @param name of the cluster
 * @throws {CoreError} store
 */
export async function connectPostgres(url: string, name: string, complain: (text: string) => void): Promise<PgBase> {
  const shown = shownUrl(url);
  const { hostname, searchParams } = new URL(url);
  const config = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    options: `-c search_path="${name}"`,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max: MOST_CONNECTIONS });
  let away: string | null = null;
  pool.on('error', (error) => {
    away = reason(error);
  });
  let id = '';
  try {
    id = await prepare(pool, name);
  } catch (error) {
    await pool.end();
    if (error instanceof CoreError) throw error;
    throw new CoreError('store', `${shown} can't be used: ${reason(error)}`);
  }
  if (!LOOPBACK.test(hostname) && !['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? ''))
    complain(`${shown} is reached without TLS: prompts and answers pass in the clear (?sslmode=verify-full)`);

  const channel = `turnout_${name}`;
  const ears = new Map<string, Set<() => void>>();
  let client: pg.Client | null = null;
  let closed = false;
  async function hear(): Promise<void> {
    const made = new pg.Client(config);
    made.on('error', () => {});
    made.on('end', () => {
      if (closed || client !== made) return;
      client = null;
      setTimeout(again, AGAIN_MS).unref();
    });
    made.on('notification', ({ payload = '' }) => {
      for (const wake of ears.get(payload) ?? []) wake();
    });
    await made.connect();
    await made.query(`LISTEN "${channel}"`);
    client = made;
    away = null;
    // What was told meanwhile was not heard: all look.
    for (const some of ears.values()) for (const wake of some) wake();
  }
  function again(): void {
    if (closed) return;
    hear().catch((error: unknown) => {
      away = reason(error);
      setTimeout(again, AGAIN_MS).unref();
    });
  }
  await hear();
  const plain = asks(pool);
  async function tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failed(error);
    }
  }
  return {
    id,
    all: (sql, ...values) => tried(() => plain.all(sql, ...values)),
    one: (sql, ...values) => tried(() => plain.one(sql, ...values)),
    step: (work) =>
      tried(async () => {
        const on = await pool.connect();
        let broken = false;
        // The question that is under way fails with it; without a listener the process would.
        const lost = (): void => {
          broken = true;
        };
        on.on('error', lost);
        try {
          await on.query('BEGIN');
          const ask = asks(on);
          const done = await work({ ...ask, tell: async (topic) => void (await ask.all(NOTIFY, channel, topic)) });
          await on.query('COMMIT');
          return done;
        } catch (error) {
          await on.query('ROLLBACK').catch(() => {
            broken = true;
          });
          throw error;
        } finally {
          on.off('error', lost);
          on.release(broken);
        }
      }),
    tell: (topic) => tried(async () => void (await plain.all(NOTIFY, channel, topic))),
    async listen(topic, wake) {
      const some = ears.get(topic) ?? new Set();
      ears.set(topic, some);
      some.add(wake);
      return () => {
        some.delete(wake);
        if (some.size === 0 && ears.get(topic) === some) ears.delete(topic);
      };
    },
    degraded: () => (away === null ? null : `${shown} does not answer: ${away}`),
    async close() {
      closed = true;
      await client?.end().catch(() => {});
      await pool.end();
    },
  };
}

const NOTIFY = 'SELECT pg_notify($1, $2)';

/** @returns what tells the data from that of every other */
async function prepare(pool: pg.Pool, name: string): Promise<string> {
  const on = await pool.connect();
  try {
    await on.query('BEGIN');
    await on.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.schema]);
    await on.query(`CREATE SCHEMA IF NOT EXISTS "${name}"`);
    await on.query(TABLES);
    await on.query("INSERT INTO meta VALUES ('format', $1), ('id', $2) ON CONFLICT DO NOTHING", [FORMAT, randomUUID()]);
    const { rows } = await on.query<{ name: string; value: string }>('SELECT name, value FROM meta');
    await on.query('COMMIT');
    const found = (key: string): string => rows.find((row) => row.name === key)?.value ?? '';
    if (found('format') === FORMAT) return found('id');
    const kept = `the cluster keeps its runs in format ${found('format')}`;
    throw new CoreError('store', `${kept}, this version in ${FORMAT}: update all members`);
  } catch (error) {
    await on.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    on.release();
  }
}
