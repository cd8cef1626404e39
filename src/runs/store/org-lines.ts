/** Reads the lines of orgs' logs. */

import type { Row, Value } from './database.js';
import type { Store } from './store.js';

const number = (row: Row | undefined, key: string): number => Number(row?.[key] ?? 0);
const text = (row: Row | undefined, key: string): string => String(row?.[key] ?? '');

/** Forgotten at once, freed later. */
const KEPT = 'project = ? AND org = ? AND run_id NOT IN (SELECT run_id FROM forgotten)';

/** @param read a query of the store's database */
export function orgLines(
  read: (sql: string, ...values: Value[]) => Row[],
): Pick<Store, 'lines' | 'placeOf' | 'lastLine'> {
  return {
    lines({ project, org, run, since = 0, limit }, after) {
      // Without a run, an index of its own would not be used.
      const one = run === undefined ? { sql: '', values: [] } : { sql: 'AND run = ?', values: [run] };
      const sql = `SELECT place, json FROM org_lines WHERE ${KEPT} AND place > ? AND at >= ? ${one.sql} ORDER BY place LIMIT ?`;
      const rows = read(sql, project, org, after, since, ...one.values, limit);
      return rows.map((row) => ({ place: number(row, 'place'), json: text(row, 'json') }));
    },
    placeOf({ project, org }, id) {
      const [row] = read(`SELECT place, run FROM org_lines WHERE ${KEPT} AND id = ?`, project, org, id);
      return row ? { place: number(row, 'place'), run: text(row, 'run') } : null;
    },
    lastLine(run) {
      const [row] = read('SELECT COUNT(*) AS count, MAX(at) AS at FROM org_lines WHERE run = ?', run);
      return { count: number(row, 'count'), at: number(row, 'at') };
    },
  };
}
