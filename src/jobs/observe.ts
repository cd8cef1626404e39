/** Waiting until a job is another than the caller knows. */

import type { Json } from '../contract/vocabulary.js';
import type { Caller } from '../runs/ports.js';
import { changeToken } from './changes.js';
import type { JobService } from './service.js';
import { nextAction, type Observed } from './wire.js';

export interface Observing {
  /** The token of what the caller knows; without one nothing is waited for. */
  after?: string;
  /** Milliseconds, 20 000 at most. */
  waitMs: number;
  signal?: AbortSignal;
  told?: Told;
}

/** Hears the state of a job that is waited for, again and again. */
export type Told = (state: string) => void;

/** Milliseconds: so long says nothing. */
export const TELL_MS = 2000;

/** Returns at once when something changed, and when nothing can change by itself. @throws JobError job_not_found */
export async function observe(
  jobs: JobService,
  id: Json | undefined,
  how: Observing,
  caller: Caller,
): Promise<Observed> {
  const began = performance.now();
  for (;;) {
    const job = jobs.get(id, caller);
    const waited_ms = Math.round(performance.now() - began);
    const changed = how.after === undefined || changeToken(job) !== how.after;
    const left = how.waitMs - waited_ms;
    if (changed || nextAction(job) !== 'wait' || left <= 0 || how.signal?.aborted)
      return { job, changed, timed_out: !changed && how.waitMs > 0 && left <= 0, waited_ms };
    how.told?.(job.state);
    await jobs.changes.next(how.told ? Math.min(left, TELL_MS) : left, how.signal);
  }
}
