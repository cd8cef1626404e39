/** Waiting for a job to change, whichever process changes it. */

import { digestOf } from './canonical.js';
import type { JobRecord } from './job.js';
import type { JobStore } from './store.js';

/** Milliseconds between two looks at what other processes did. */
const LOOK_MS = 200;
export const MOST_WAIT = 20_000;

export interface Changes {
  /** Something changed here. */
  tell(): void;
  /** Resolves at the next change of any job, at the latest after `ms`, or with the signal. */
  next(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Changes whenever something of the job does that a caller can see. */
export const changeToken = (job: JobRecord): string =>
  digestOf([
    job.job_id,
    job.state,
    job.updated_at,
    job.revision,
    job.audits.length,
    job.rounds.length,
    job.audit_note,
    job.landed?.at ?? null,
  ]);

export function changesOf(store: JobStore): Changes {
  const waiting = new Set<() => void>();
  return {
    tell() {
      for (const wake of [...waiting]) wake();
    },
    next: (ms, signal) =>
      new Promise((resolve) => {
        const seen = store.position();
        let timer: NodeJS.Timeout | null = null;
        const end = () => {
          if (timer) clearTimeout(timer);
          clearInterval(look);
          waiting.delete(end);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const look = setInterval(() => {
          if (store.position() !== seen) end();
        }, LOOK_MS);
        timer = setTimeout(end, ms);
        waiting.add(end);
        signal?.addEventListener('abort', end, { once: true });
        if (signal?.aborted) end();
      }),
  };
}
