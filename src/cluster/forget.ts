/** Forgets sessions that were not used for long, as wholes: those with a run under way, or a fork that is kept, stay. */

import type { SessionRecord } from '../runs/records.js';
import { type Archive, archiveOld } from './archive.js';
import type { Engine } from './engine.js';

const EVERY_MS = 5 * 60 * 1000;
const SOME = 200;

export interface ForgetOptions {
  engine: Engine;
  name: string;
  keepMs: number | null;
  archive: Archive | null;
  /** Runs that ended longer ago are moved to the archive, milliseconds. */
  archiveMs: number;
  complain(text: string): void;
}

/** @returns how many were forgotten */
export async function forget(engine: Engine, before: number, archive: Archive | null = null): Promise<number> {
  const all: SessionRecord[] = [];
  for (let place: number | null = null; ; ) {
    const some: { place: number; session: SessionRecord }[] = await engine.sessionsBefore(place, SOME);
    all.push(...some.map(({ session }) => session));
    const last = some.at(-1);
    if (last === undefined) break;
    place = last.place;
  }
  const kept = new Set<string>();
  let forgotten = 0;
  // A fork is younger than what it was forked from: it is looked at first.
  for (const { session_id, updated_at, parent } of all) {
    const old = updated_at < before && !kept.has(session_id);
    const runs = old && archive ? (await engine.runsOf(session_id)).map(({ run_id }) => run_id) : [];
    if (old && (await engine.dropSession(session_id, true))) {
      forgotten += 1;
      await archive?.remove(runs);
    } else if (parent !== null) kept.add(parent);
  }
  return forgotten;
}

/** Archives and forgets every few minutes, in the member that leads. @returns ends it */
export function forgetting(options: ForgetOptions): () => void {
  const { engine, name, keepMs, archive, archiveMs, complain } = options;
  if (keepMs === null && !archive) return () => {};
  let busy = false;
  async function look(): Promise<void> {
    if (!(await engine.lead(name, EVERY_MS))) return;
    if (archive) await archiveOld(engine, archive, Date.now() - archiveMs);
    if (keepMs !== null) await forget(engine, Date.now() - keepMs, archive);
  }
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    look()
      .catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        busy = false;
      });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
