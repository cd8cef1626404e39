/**
 * What nobody else mends: runs whose worker is gone, runs that were accepted and never given to the queue, sessions whose
 * home is gone, and callers whose front is gone. One member does this, the leader; another one follows when it dies.
 */

import { CoreError } from '../runs/failure.js';
import type { Due, Engine, Member, OpenRun } from './engine.js';
import { endLost, endWaiting } from './lost.js';
import { homeIn } from './placement.js';
import { afterLeave, frontIn } from './waiters.js';

export interface SweeperOptions {
  engine: Engine;
  /** `id#instance` of this process. */
  name: string;
  everyMs: number;
  /** How long a session waits for its home to come back. */
  homeMs: number;
  /** How long callers of a front that died may come back through another one. */
  graceMs: number;
  due(next: Due): void;
  /** Nobody waits for the run any more. */
  left(run: string): Promise<void>;
  complain(text: string): void;
}

const HOME_LOST = (worker: string): string =>
  `worker-lost: worker ${worker}, which has the files of this session, is gone. Fork the session to go on elsewhere with what was said.`;

/** @returns ends it */
export function sweeper(options: SweeperOptions): () => void {
  const { engine, name, everyMs, complain } = options;
  /** When something was first found amiss. */
  let amiss = new Map<string, number>();
  let busy = false;
  let closed = false;

  async function lost({ run }: OpenRun): Promise<void> {
    const claim = await engine.claim(run, `front:${name}`);
    if (claim.kind === 'begin') throw new CoreError('store', `run ${run} was claimed and is not`);
    if (claim.kind !== 'lost') return;
    const next = await endLost(engine, claim);
    if (next) options.due(next);
  }
  async function sweep(): Promise<void> {
    if (!(await engine.lead(name, 3 * everyMs))) {
      amiss.clear();
      return;
    }
    const [open, members] = await Promise.all([engine.open(), engine.members()]);
    const names = new Set(members.map(({ id, instance }: Member) => `${id}#${instance}`));
    const ids = new Set(members.map(({ id }) => id));
    const now = Date.now();
    const before = amiss;
    amiss = new Map();
    /** How long something has been so. */
    const since = (what: string): number => {
      const first = before.get(what) ?? now;
      amiss.set(what, first);
      return now - first;
    };
    for (const one of open) {
      const { run, queue, ticket, worker } = one;
      if (worker !== null) {
        if (!names.has(worker.replace(/^front:/, ''))) await lost(one);
      } else if (one.first) {
        const home = homeIn(queue);
        if (home !== null && !ids.has(home)) {
          if (since(`home ${run}`) >= options.homeMs) await endHomeless(run, home);
        } else if (since(`due ${run}`) >= everyMs) options.due({ run, queue, ticket });
      }
      for (const id of await engine.attendees(run)) {
        if (names.has(frontIn(id)) || since(`waits ${run} ${id}`) < options.graceMs) continue;
        if (afterLeave(await engine.attend(run, { op: 'leave', id })) === 'left') await options.left(run);
      }
    }
  }
  async function endHomeless(run: string, home: string): Promise<void> {
    const why = { code: 'session-not-found', message: HOME_LOST(home), by: 'crash' } as const;
    const ended = await endWaiting(engine, run, `front:${name}`, why);
    if (ended.due) options.due(ended.due);
  }
  const timer = setInterval(() => {
    if (busy || closed) return;
    busy = true;
    sweep()
      .catch((error: unknown) => {
        if (!closed) complain(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  timer.unref();
  return () => {
    closed = true;
    clearInterval(timer);
  };
}
