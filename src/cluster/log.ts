/** Logs of runs, read from the engine wherever they are worked on. */

import type { Hold } from '../runs/event-log.js';
import { CoreError } from '../runs/failure.js';
import type { Caller, Followed, FollowOptions, RunLog } from '../runs/ports.js';
import { sees } from '../runs/sight.js';
import type { ReadLimits } from '../runs/store/store.js';
import type { Archive } from './archive.js';
import type { Engine, LogState } from './engine.js';
import { ear } from './wait.js';

/** One read: small enough that parsing it never holds the event loop for long. */
const BATCH = { entries: 256, size: 256 * 1024 };

/**
 * @param hold of a run that is worked on in this process: says how far a reader came that the runtime has to wait for. What
 * is worked on elsewhere is read from the engine, which keeps what was not read yet: nothing is held back
 * @param archive where the entries of old runs are; null: this member has none, and says that they are gone
 */
export function clusterLog(
  engine: Engine,
  hold: (run: string, after: number) => Hold | null,
  archive: Archive | null,
): RunLog {
  const read = ({ archived }: LogState, id: string, after: number, limits: ReadLimits) =>
    archived ? (archive?.events(id, after, limits) ?? []) : engine.events(id, after, limits);
  /** @throws {CoreError} not-found */
  async function state(id: string, caller?: Caller): Promise<LogState> {
    if (caller) {
      const run = await engine.run(id);
      if (!run || !sees(caller, run)) throw new CoreError('not-found', `there is no run ${id}`);
    }
    const found = await engine.logState(id);
    if (!found) throw new CoreError('not-found', `there is no run ${id}`);
    return found;
  }
  function check({ last }: LogState, after: number): void {
    if (after > last) throw new CoreError('bad-request', `the last event is ${last}; there is no event ${after}`);
  }
  async function* entries(id: string, options: FollowOptions, held: Hold | null): AsyncGenerator<Followed> {
    const { signal } = options;
    let { after } = options;
    const heard = options.follow ? await ear(engine, [`run:${id}`], signal) : null;
    try {
      while (!signal?.aborted) {
        // Asked first: what is appended in between is then read.
        const now = await state(id);
        const { last, over } = now;
        const some = after < last ? await read(now, id, after, BATCH) : [];
        for (const entry of some) {
          if (signal?.aborted) return;
          if (entry.seq > after + 1) yield { gap: { from: after + 1, to: entry.seq - 1 } };
          after = entry.seq;
          yield { entry };
          held?.took(entry);
        }
        if (some.length > 0) continue;
        if (after < last) {
          yield { gap: { from: after + 1, to: last } };
          after = last;
          continue;
        }
        if (over || !heard) return;
        await heard.next();
      }
    } finally {
      heard?.close();
    }
  }
  return {
    async *follow(id, options, caller) {
      check(await state(id, caller), options.after);
      const held = options.holds === true ? hold(id, options.after) : null;
      try {
        yield* entries(id, options, held);
      } finally {
        held?.release();
      }
    },
    async page(id, after, limits, caller) {
      const now = await state(id, caller);
      check(now, after);
      const found = (await read(now, id, after, limits)).filter(({ seq }) => seq <= now.last);
      const first = found[0]?.seq ?? now.last + 1;
      const next = found.at(-1)?.seq ?? now.last;
      return { entries: found, missing: first - after - 1, next, last: now.last, over: now.over };
    },
    async more(id, after, caller, signal) {
      const heard = await ear(engine, [`run:${id}`], signal);
      try {
        const first = await state(id, caller);
        check(first, after);
        for (let now = first; now.last <= after && !now.over && !signal?.aborted; now = await state(id))
          await heard.next();
      } finally {
        heard.close();
      }
    },
    note: (id, name, note) => engine.note(id, name, note),
    notes: (id, name) => engine.notes(id, name),
  };
}
