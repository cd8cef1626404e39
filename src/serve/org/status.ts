/** `org list` and `org status`: what an org is doing. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { closedBy } from '../../runs/org/projector.js';
import { orgRunId } from '../../runs/org/series.js';
import { isOver, type RunRecord } from '../../runs/records.js';
import type { Store } from '../../runs/store/store.js';
import { type Org, OrgError } from './project.js';

/** Ids of runs that are not over although the process that worked on them is gone. */
export const lostRuns = (store: Store | null): ReadonlySet<string> =>
  new Set(store?.abandoned().map(({ run_id }) => run_id));

const byId = (a: RunRecord, b: RunRecord): number => (orgRunId(a) < orgRunId(b) ? 1 : -1);

/** The newest run. @throws {OrgError} there is none */
function newestRun({ name, runs }: Org): RunRecord {
  const [newest] = [...runs].sort(byId);
  if (!newest) throw new OrgError(`no runs found for org ${name}`);
  return newest;
}

/** The run that is asked for, or the newest. @throws {OrgError} there is no such run */
export function needRun(org: Org, id: string | undefined): RunRecord {
  if (id === undefined) return newestRun(org);
  const found = org.runs.find((run) => orgRunId(run) === id);
  if (!found) throw new OrgError(`no run ${JSON.stringify(id.slice(0, 80))} found for org ${org.name}`);
  return found;
}

type State = 'never run' | 'running' | 'stopped' | 'crashed';

function stateOf(org: Org, lost: ReadonlySet<string>): { state: State; run: RunRecord | null } {
  const runs = [...org.runs].sort(byId);
  const live = runs.find((run) => !isOver(run.status) && !lost.has(run.run_id));
  if (live) return { state: 'running', run: live };
  const [run] = runs;
  if (!run) return { state: 'never run', run: null };
  const crashed = lost.has(run.run_id) || run.ended_by === 'crash';
  return { state: crashed ? 'crashed' : 'stopped', run };
}

/** The process that works, or worked, on a run; null before it began. */
function pidOf(store: Store | null, run: RunRecord): number | null {
  const [first] = store?.events(run.run_id, 0, { entries: 1, size: 1 }) ?? [];
  return first?.event.type === 'start' ? first.event.pid : null;
}

/** Without `v`. */
export function statusOf(org: Org, store: Store | null, lost: ReadonlySet<string>): JsonObject {
  const { name } = org;
  const { state, run } = stateOf(org, lost);
  if (run === null) return { name, status: state };
  const pid = pidOf(store, run);
  const common = {
    name,
    status: state,
    run: orgRunId(run),
    ...(pid === null ? {} : { pid }),
    paused: false,
    abandoned_roles: [],
  };
  if (state === 'running') {
    // There is no watchdog that ends an idle org.
    return { ...common, idle_stop_at: null, idle_stop_in_seconds: null, idle_hold: 'disabled', idle_hold_until: null };
  }
  const closed = state === 'crashed' ? 'crash-handler' : closedBy(run.exit_code, run.stop_reason);
  return { ...common, closed_by: closed, ...(run.error === null ? {} : { error: run.error.message }) };
}

/** An item of `org list`. */
export function listed(org: Org, lost: ReadonlySet<string>): JsonObject {
  const { name, definition, runs } = org;
  if (typeof definition === 'string') return { name, roles: 0, schedule: null, status: 'invalid-config', goal: '' };
  const spoken = new Set(runs.map(({ metadata }) => metadata['turnout.role']));
  return {
    name,
    roles: definition?.roles.length ?? spoken.size,
    schedule: definition?.schedule ?? null,
    status: stateOf(org, lost).state,
    goal: definition?.goal ?? '',
  };
}
