/** The engine of an address. Its libraries are optional packages that are loaded here and nowhere else. */

import { CoreError } from '../runs/failure.js';
import type { Engine } from './engine.js';
import type { QueueBackend } from './queue.js';

export interface OpenOptions {
  /** Clusters of several names can share one server. */
  name?: string;
  /** Milliseconds after its last sign of life that a member counts as gone. */
  leaseMs?: number;
  complain(text: string): void;
}

export interface Opened {
  engine: Engine;
  backend: QueueBackend;
}

/** How long a member may be silent before it counts as gone, milliseconds. */
export const LEASE_MS = 30_000;

/** A name of a schema, too. */
const NAME = /^[a-z][a-z0-9_]{0,40}$/;

/** @throws {CoreError} store: a package is not installed */
async function loaded<T>(packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new CoreError('store', `--cluster needs packages that are not installed: npm install -g ${packages}`);
  }
}

/**
 * @param url `redis://`, `rediss://` (Redis 7 or Valkey), `postgres://` or `postgresql://`
 * @throws {CoreError} bad-request: another address; store: it can't be used
 */
export async function openEngine(
  url: string,
  { name = 'turnout', leaseMs = LEASE_MS, complain }: OpenOptions,
): Promise<Opened> {
  if (!NAME.test(name)) throw new CoreError('bad-request', `invalid name of a cluster: ${JSON.stringify(name)}`);
  switch (URL.canParse(url) ? new URL(url).protocol : '') {
    case 'redis:':
    case 'rediss:': {
      const [{ connect }, { checkFormat, redisEngine }, { redisQueues }] = await loaded('bullmq ioredis', () =>
        Promise.all([import('./redis/connect.js'), import('./redis/engine.js'), import('./redis/queue.js')]),
      );
      const prefix = `{${name}}`;
      const connections = await connect(url, complain);
      const id = await checkFormat(connections, prefix);
      const engine = redisEngine(url, id, connections, prefix);
      return { engine, backend: redisQueues(connections.queue, prefix, leaseMs) };
    }
    case 'postgres:':
    case 'postgresql:': {
      const [{ connectPostgres }, { postgresEngine }, { postgresQueues }] = await loaded('bullmq pg', () =>
        Promise.all([import('./postgres/connect.js'), import('./postgres/engine.js'), import('./postgres/queue.js')]),
      );
      const base = await connectPostgres(url, name, complain);
      const backend = await postgresQueues(url, `${name}_queue`, leaseMs);
      return { engine: postgresEngine(url, base), backend };
    }
    default:
      // The address may hold a password: it is not repeated.
      throw new CoreError('bad-request', 'the address of a cluster begins with redis://, rediss:// or postgres://');
  }
}
