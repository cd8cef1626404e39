/** Sessions of a cluster, and everything that happens in one. */

import { liveGiven } from '../runs/clock-and-ids.js';
import { CoreError } from '../runs/failure.js';
import { everyRunOf, runsOf, transcriptOf } from '../runs/history.js';
import type { Caller, RunLog, SessionNews, Sessions } from '../runs/ports.js';
import { isOver, type RunRecord, type SessionRecord } from '../runs/records.js';
import { forkOf, newSession } from '../runs/sessions.js';
import { sees } from '../runs/sight.js';
import { readCursor } from '../runs/watch.js';
import type { Engine } from './engine.js';
import { findLines, listSessions } from './lists.js';
import { past } from './past.js';
import { ear } from './wait.js';

/** @throws {CoreError} not-found */
export async function needSession(engine: Engine, id: string, caller: Caller): Promise<SessionRecord> {
  const found = await engine.session(id);
  if (!found || found.deleted || !sees(caller, found)) throw new CoreError('not-found', `there is no session ${id}`);
  return found;
}

/** The owner sees the runs of everybody. */
export const ownOf = ({ principal }: Caller): { principal?: string } =>
  principal.kind === 'owner' ? {} : { principal: principal.name };

/** @param letGo ends what is kept alive for a session that is forgotten */
export function clusterSessions(
  engine: Engine,
  log: RunLog,
  letGo: (session: SessionRecord) => Promise<void>,
): Sessions {
  async function remove(id: string): Promise<void> {
    const session = await engine.session(id);
    if (!session) return;
    const all = await listSessionsOf(engine);
    if (all.some(({ parent }) => parent === id)) return engine.putSession({ ...session, deleted: true });
    await engine.dropSession(id);
    // The last fork of a deleted session takes it along.
    if (session.parent !== null && (await engine.session(session.parent))?.deleted) await remove(session.parent);
  }
  async function* news(
    id: string,
    options: { after?: string; signal?: AbortSignal },
    caller: Caller,
  ): AsyncGenerator<SessionNews> {
    await needSession(engine, id, caller);
    const { signal } = options;
    const from = readCursor(options.after);
    if (from && (await engine.run(from.run))?.session_id !== id)
      throw new CoreError('bad-request', 'the cursor does not belong to this session');
    const done = new Set<string>();
    for (const run of from ? await engine.runsOf(id) : []) {
      if (run.run_id === from?.run) break;
      done.add(run.run_id);
    }
    const heard = await ear(engine, ['changes'], signal);
    try {
      while (!signal?.aborted) {
        const run = (await engine.runsOf(id)).find(({ run_id }) => !done.has(run_id));
        if (!run) {
          await heard.next();
          continue;
        }
        done.add(run.run_id);
        yield* runNews(run, from?.run === run.run_id ? from.seq : 0, caller, signal);
      }
    } finally {
      heard.close();
    }
  }
  async function* runNews(
    run: RunRecord,
    after: number,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<SessionNews> {
    const { run_id } = run;
    yield { run };
    for await (const one of log.follow(run_id, { after, follow: true, ...(signal ? { signal } : {}) }, caller)) {
      if ('gap' in one) yield { run_id, cursor: `${run_id}:${one.gap.to}`, gap: one.gap };
      else yield { run_id, cursor: `${run_id}:${one.entry.seq}`, entry: one.entry };
    }
    const now = await engine.run(run_id);
    if (now && isOver(now.status)) yield { run: now };
  }
  return {
    async create({ title = '', ...what }, caller, given = liveGiven()) {
      const made = newSession({ ...what, title }, caller, given);
      await engine.putSession(made);
      return made;
    },
    async fork(id, caller, given = liveGiven()) {
      const from = await needSession(engine, id, caller);
      const made = forkOf(await past(engine, id), from, caller, given);
      await engine.putSession(made);
      return made;
    },
    async get(id, caller) {
      const found = await engine.session(id);
      return found && !found.deleted && sees(caller, found) ? found : null;
    },
    list: (filter, caller) => listSessions(engine, { ...filter, ...ownOf(caller) }),
    async runs(id, caller, dropped = false) {
      await needSession(engine, id, caller);
      const store = await past(engine, id);
      return dropped ? everyRunOf(store, id) : runsOf(store, id);
    },
    async rewind(id, run, caller) {
      const session = await needSession(engine, id, caller);
      const runs = runsOf(await past(engine, id), id);
      const from = runs.findIndex(({ run_id }) => run_id === run);
      if (from < 0) throw new CoreError('not-found', `there is no run ${run} in session ${id}`);
      if (runs.some(({ status }) => !isOver(status)))
        throw new CoreError('session-busy', `a turn of session ${id} is under way; wait for it or cancel it`);
      const dropped = [...(session.dropped ?? []), ...runs.slice(from).map(({ run_id }) => run_id)];
      await engine.putSession({ ...session, dropped, native_id: null });
      await letGo(session);
    },
    async transcript(id, caller) {
      await needSession(engine, id, caller);
      return transcriptOf(await past(engine, id), id);
    },
    async set(id, what, caller) {
      await engine.putSession({ ...(await needSession(engine, id, caller)), ...what });
    },
    async remove(id, caller) {
      const gone = await engine.session(id);
      if (!gone || gone.deleted || !sees(caller, gone)) return;
      await remove(id);
      await letGo(gone);
    },
    find: (query, top, caller) => findLines(engine, query, top, ownOf(caller).principal),
    follow: news,
  };
}

/** All of them, deleted ones too. */
async function listSessionsOf(engine: Engine): Promise<SessionRecord[]> {
  const all: SessionRecord[] = [];
  for (let place: number | null = null; ; ) {
    const some: { place: number; session: SessionRecord }[] = await engine.sessionsBefore(place, 200);
    all.push(...some.map(({ session }) => session));
    const last = some.at(-1);
    if (last === undefined) return all;
    place = last.place;
  }
}
