/** Keeps the log of each org beside the logs of its runs: both become durable together. */

import type { OrgEvent } from '../../contract/org.js';
import { jsonLine } from '../../text/json-line.js';
import type { RunRecord } from '../records.js';
import type { Store } from '../store/store.js';
import { type OrgBody, projector } from './projector.js';
import { orgRunId, type Series, seriesOf } from './series.js';

interface Telling {
  series: Series;
  run: string;
  hear: ReturnType<typeof projector>;
  /** How many lines there are. */
  count: number;
  /** When the last one came. */
  at: number;
}

/** @returns the store, which also writes the lines of orgs @param now milliseconds since 1970 */
export function keepingOrgs(store: Store, now: () => number = Date.now): Store {
  const telling = new Map<string, Telling>();

  function about(run: Pick<RunRecord, 'run_id' | 'created_at' | 'metadata'>): Telling | null {
    const series = seriesOf(run);
    if (series === null) return null;
    const id = orgRunId(run);
    // Another process may have begun it.
    const { count, at } = store.lastLine(id);
    return { series, run: id, hear: projector(series.role), count, at };
  }
  function tell(runId: string, one: Telling, body: OrgBody): void {
    one.at = Math.max(one.at, now());
    const { series, run, at } = one;
    const { type, ...rest } = body;
    const line: OrgEvent = { id: `${run}-${at}-${one.count}`, ts: at, org: series.org, run, type, ...rest };
    one.count += 1;
    const { project, org } = series;
    store.putLine({ id: line.id, project, org, run, run_id: runId, at, json: jsonLine(JSON.stringify(line)) });
  }
  return {
    ...store,
    putRun(run) {
      store.putRun(run);
      if (telling.has(run.run_id)) return;
      const one = about(run);
      if (one) telling.set(run.run_id, one);
    },
    append(run, entry) {
      store.append(run, entry);
      let one = telling.get(run) ?? null;
      if (!one) {
        const record = store.run(run);
        one = record && about(record);
        if (!one) return;
        telling.set(run, one);
      }
      for (const body of one.hear(entry.event)) tell(run, one, body);
      if (entry.event.type === 'done') telling.delete(run);
    },
  };
}
