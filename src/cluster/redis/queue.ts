/** BullMQ over Redis. */

import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueBackend } from '../queue.js';

/** @param prefix with a hash tag: the jobs stand in one slot */
export function redisQueues(connection: Redis, prefix: string, lockMs: number): QueueBackend {
  return {
    lockMs,
    queue: (name) => new Queue(name, { connection, prefix: `${prefix}:q` }),
    worker: (name) =>
      new Worker(name, null, {
        connection,
        prefix: `${prefix}:q`,
        autorun: false,
        lockDuration: lockMs,
        // How often jobs are looked for whose worker died.
        stalledInterval: lockMs / 2,
        // Whether a run is begun again is for the claim to say.
        maxStalledCount: 1_000_000,
      }),
  };
}
