/** Forgets sessions that were not used for long, as wholes: those with a run under way, or a fork that is kept, stay. */

import type { SessionRecord } from '../runs/records.js';
import type { Engine } from './engine.js';

const EVERY_MS = 60 * 60 * 1000;
const SOME = 200;

export interface ForgetOptions {
  engine: Engine;
  name: string;
  keepMs: number | null;
  complain(text: string): void;
}

/** @returns how many were forgotten */
export async function forget(engine: Engine, before: number): Promise<number> {
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
    if (old && (await engine.dropSession(session_id, true))) forgotten += 1;
    else if (parent !== null) kept.add(parent);
  }
  return forgotten;
}

/** Looks now and every hour, in the member that leads. @returns ends it */
export function forgetting({ engine, name, keepMs, complain }: ForgetOptions): () => void {
  if (keepMs === null) return () => {};
  const look = (): void => {
    (async () => {
      if (await engine.lead(name, EVERY_MS / 60)) await forget(engine, Date.now() - keepMs);
    })().catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)));
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
