/** Runs and sessions that fit a filter, newest first. */

import { seriesOf } from '../runs/org/series.js';
import type { Hit, RunRecord, SessionRecord } from '../runs/records.js';
import { hitsIn, type RunFilter, type SessionFilter } from '../runs/store/store.js';
import type { Engine } from './engine.js';

const SOME = 100;

async function* allRuns(engine: Engine): AsyncGenerator<RunRecord> {
  for (let place: number | null = null; ; ) {
    const some: { place: number; run: RunRecord }[] = await engine.runsBefore(place, SOME);
    for (const { run } of some) yield run;
    const last = some.at(-1);
    if (last === undefined) return;
    place = last.place;
  }
}

function fits(run: RunRecord, filter: RunFilter): boolean {
  const { series, session, status, since, principal } = filter;
  if (session !== undefined && run.session_id !== session) return false;
  if (status !== undefined && run.status !== status) return false;
  if (since !== undefined && run.created_at < since) return false;
  if (principal !== undefined && run.principal !== principal) return false;
  if (series === undefined) return true;
  const own = seriesOf(run);
  return own !== null && own.project === series.project && (series.org === undefined || own.org === series.org);
}

export async function listRuns(engine: Engine, filter: RunFilter): Promise<RunRecord[]> {
  if (filter.session !== undefined) {
    const all = (await engine.runsOf(filter.session)).reverse();
    return all.filter((run) => fits(run, filter)).slice(0, filter.limit);
  }
  const found: RunRecord[] = [];
  if (filter.limit <= 0) return found;
  for await (const run of allRuns(engine)) {
    if (fits(run, filter)) found.push(run);
    if (found.length >= filter.limit) break;
  }
  return found;
}

export async function listSessions(engine: Engine, filter: SessionFilter): Promise<SessionRecord[]> {
  const { cwd, since, principal, limit } = filter;
  const found: SessionRecord[] = [];
  for (let place: number | null = null; found.length < limit; ) {
    const some: { place: number; session: SessionRecord }[] = await engine.sessionsBefore(place, SOME);
    for (const { session } of some) {
      if (session.deleted || (cwd !== undefined && session.cwd !== cwd)) continue;
      if (since !== undefined && session.updated_at < since) continue;
      if (principal === undefined || session.principal === principal) found.push(session);
    }
    const last = some.at(-1);
    if (last === undefined) break;
    place = last.place;
  }
  return found.slice(0, limit);
}

export async function findLines(engine: Engine, query: string, top: number, principal?: string): Promise<Hit[]> {
  const found: Hit[] = [];
  for await (const run of allRuns(engine)) {
    if (principal === undefined || run.principal === principal) found.push(...hitsIn(run, query));
    if (found.length >= top) break;
  }
  return found.slice(0, top);
}
