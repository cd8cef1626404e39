/** What was said in a session before a turn, as a store that is read at once. */

import { CoreError } from '../runs/failure.js';
import { memoryStore } from '../runs/store/memory-store.js';
import type { Store } from '../runs/store/store.js';
import type { Engine } from './engine.js';

/** The session with its runs, and those it was forked from. @throws {CoreError} not-found */
export async function past(engine: Engine, id: string): Promise<Store> {
  const store = memoryStore();
  for (let next: string | null = id; next !== null; ) {
    const session = await engine.session(next);
    if (!session && next === id) throw new CoreError('not-found', `there is no session ${id}`);
    if (!session) break;
    store.putSession(session);
    for (const run of await engine.runsOf(next)) store.putRun(run);
    next = session.parent;
  }
  return store;
}
