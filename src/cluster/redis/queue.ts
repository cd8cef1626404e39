/** BullMQ over Redis. */

import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { LOCK_MS, type QueueBackend } from '../queue.js';

/** Milliseconds between two looks for jobs whose worker died. */
const STALLED_MS = 15_000;

/** @param prefix with a hash tag: the jobs stand in one slot */
export function redisQueues(connection: Redis, prefix: string): QueueBackend {
  return {
    queue: (name) => new Queue(name, { connection, prefix: `${prefix}:q` }),
    worker: (name) =>
      new Worker(name, null, {
        connection,
        prefix: `${prefix}:q`,
        autorun: false,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        // Whether a run is begun again is for the claim to say.
        maxStalledCount: 1_000_000,
      }),
  };
}
