/** The lines of an org's log from a cursor on. What was given once is never lost or given again, whoever writes meanwhile. */

import { orgRunId } from '../../runs/org/series.js';
import type { RunRecord } from '../../runs/records.js';
import type { LineFilter, PlacedLine, Store } from '../../runs/store/store.js';
import type { Since } from './cursor.js';
import type { Org, Project } from './project.js';
import { needRun } from './status.js';

/** Lines of one read. */
const BATCH = 64;

export interface FollowOptions {
  run?: string | undefined;
  since?: Since | undefined;
  follow: boolean;
}

/** Where reading begins. */
interface Start {
  filter: Omit<LineFilter, 'limit'>;
  after: number;
}

/** The whole run, or what follows the cursor in it. An id that the run does not hold means all of it. */
function inRun(store: Store, filter: Start['filter'], run: string, since: Since | undefined): Start {
  const one = { ...filter, run };
  if (since === undefined) return { filter: one, after: 0 };
  if ('at' in since) return { filter: { ...one, since: since.at }, after: 0 };
  const found = store.placeOf(filter, since.id);
  return { filter: one, after: found?.run === run ? found.place : 0 };
}

/** Follows the org from run to run: a cursor may be of an older one, and runs may overlap. */
function acrossRuns(store: Store, filter: Start['filter'], newest: RunRecord, since: Since | undefined): Start {
  if (since && 'at' in since) return { filter: { ...filter, since: since.at }, after: 0 };
  const found = since === undefined ? null : store.placeOf(filter, since.id);
  if (found) return { filter, after: found.place };
  const [first] = store.lines({ ...filter, run: orgRunId(newest), limit: 1 }, 0);
  if (first) return { filter, after: first.place - 1 };
  // It has no line yet.
  return { filter: { ...filter, since: newest.created_at }, after: 0 };
}

/**
 * @param wait resolves when it is time to look again; false ends the following
 * @returns lines as JSON @throws {OrgError} there is no run
 */
export function linesFrom(
  { folder, store }: Project & { store: Store },
  org: Org,
  { run, since, follow }: FollowOptions,
  wait: () => Promise<boolean>,
): AsyncGenerator<string> {
  const filter = { project: folder, org: org.name };
  const chosen = needRun(org, run);
  const alone = run !== undefined || !follow;
  const start = alone ? inRun(store, filter, orgRunId(chosen), since) : acrossRuns(store, filter, chosen, since);
  return read(store, start, follow ? wait : null);
}

async function* read(store: Store, start: Start, wait: (() => Promise<boolean>) | null): AsyncGenerator<string> {
  for (let { after } = start; ; ) {
    const some: PlacedLine[] = store.lines({ ...start.filter, limit: BATCH }, after);
    for (const { place, json } of some) {
      after = place;
      yield json;
    }
    if (some.length > 0) continue;
    if (wait === null || !(await wait())) return;
  }
}
