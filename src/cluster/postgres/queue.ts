/** BullMQ over PostgreSQL. */

import { createPostgresBackend, Queue, Worker } from 'bullmq';
import type { QueueBackend } from '../queue.js';

/** Connections of one queue: it is asked by one place at a time. */
const CONNECTIONS = 2;

/** @param schema where BullMQ keeps its tables */
export async function postgresQueues(url: string, schema: string, lockMs: number): Promise<QueueBackend> {
  const connection = { connectionString: url, schema, max: CONNECTIONS };
  // Made once, so that members that start together do not make them at once.
  const first = new Queue('first', { connection: { ...connection, migrate: true } }, createPostgresBackend);
  await first.waitUntilReady();
  await first.close();
  return {
    lockMs,
    queue: (name) => new Queue(name, { connection }, createPostgresBackend),
    worker: (name) =>
      new Worker(
        name,
        null,
        {
          connection,
          autorun: false,
          lockDuration: lockMs,
          // How often jobs are looked for whose worker died.
          stalledInterval: lockMs / 2,
          // Whether a run is begun again is for the claim to say.
          maxStalledCount: 1_000_000,
        },
        createPostgresBackend,
      ),
  };
}
