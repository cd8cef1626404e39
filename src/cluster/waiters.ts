/** Callers that wait for runs through this front. The engine counts them all; the last one to leave ends the run. */

import { randomUUID } from 'node:crypto';
import type { Attendance } from '../runs/ports.js';
import type { Attended, Engine } from './engine.js';

export interface Waiters {
  /** The id under which a new caller is counted. */
  name(): string;
  /** Somebody who is counted already. */
  attendance(run: string, id: string): Attendance;
}

/** Front and caller in the id of one who waits, so that those of a front that died can be found. */
export const frontIn = (id: string): string => id.slice(0, id.lastIndexOf('/'));

/** What follows when somebody left: whether nobody can answer any more, and whether nobody waits. */
export const afterLeave = ({ waiting, hearing, detached, over }: Attended): 'nothing' | 'deaf' | 'left' =>
  over || detached || hearing > 0 ? 'nothing' : waiting === 0 ? 'left' : 'deaf';

export function waiters(options: {
  engine: Engine;
  /** `id#instance` of this front. */
  front: string;
  /** Nobody can answer any more. */
  deaf(run: string): Promise<void>;
  /** Nobody waits any more. */
  left(run: string): Promise<void>;
  /** How long a run with a key goes on after the last one left, milliseconds. */
  graceMs: number;
  complain(text: string): void;
}): Waiters {
  const { engine, complain, graceMs } = options;

  function tried(work: () => Promise<void>): void {
    // A store that is away now is looked at by the sweeper later.
    work().catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)));
  }
  async function settle(run: string, now: Attended): Promise<void> {
    const what = afterLeave(now);
    if (what === 'deaf') return options.deaf(run);
    if (what === 'nothing') return;
    if (!now.keyed || graceMs === 0) return options.left(run);
    // Whoever comes back within the grace time may answer what is open.
    const timer = setTimeout(
      () =>
        tried(async () => {
          if (afterLeave(await engine.attend(run, { op: 'look' })) === 'left') await options.left(run);
        }),
      graceMs,
    );
    timer.unref();
  }
  return {
    name: () => `${options.front}/${randomUUID()}`,
    attendance(run, id) {
      let here = true;
      return {
        deaf() {
          if (here) tried(async () => settle(run, await engine.attend(run, { op: 'deaf', id })));
        },
        leave() {
          if (!here) return;
          here = false;
          tried(async () => settle(run, await engine.attend(run, { op: 'leave', id })));
        },
      };
    },
  };
}
