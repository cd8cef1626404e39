/** `inspect`: runs, sessions, cost and agents of the last hours, as data and as lines for people. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { duration, whole, word } from '../../request/fields.js';
import type { RunRecord } from '../../runs/records.js';
import { SPENT_BY, spent } from '../../runs/spent.js';
import { brief, session } from './describe.js';
import type { Op } from './op.js';

const DAY = 24 * 60 * 60 * 1000;
const MOST = 100_000;

/** How each runtime fared. */
function agents(runs: readonly RunRecord[]): JsonObject[] {
  const groups = new Map<string, { runtime: string; runs: number; statuses: { [status: string]: number } }>();
  for (const run of runs) {
    const group = groups.get(run.runtime) ?? { runtime: run.runtime, runs: 0, statuses: {} };
    groups.set(run.runtime, group);
    group.runs += 1;
    group.statuses[run.status] = (group.statuses[run.status] ?? 0) + 1;
  }
  return [...groups.values()];
}

export const inspect: Op = async ({ core, fields, given, reply, caller }) => {
  const view = word(fields, 'view', ['runs', 'sessions', 'cost', 'agents'] as const) ?? 'agents';
  const by = word(fields, 'by', SPENT_BY) ?? 'runtime';
  const top = whole(fields, 'top', 1) ?? MOST;
  const since = given.now() - (duration(fields, 'since') ?? DAY);
  const runs = () => core.runs.list({ limit: MOST, since }, caller);
  let data: JsonObject[];
  switch (view) {
    case 'runs':
      data = (await runs()).slice(0, top).map(brief);
      break;
    case 'sessions':
      data = (await core.sessions.list({ limit: Math.min(top, MOST), since }, caller)).map(session);
      break;
    case 'cost':
      data = spent(await runs(), by)
        .slice(0, top)
        .map((one) => ({ ...one }));
      break;
    case 'agents':
      data = agents(await runs()).slice(0, top);
      break;
    default: {
      const never: never = view;
      throw new Error(`unknown view ${String(never)}`);
    }
  }
  for (const one of data) reply.log('stdout', JSON.stringify(one));
  reply.result('inspect', true, { view, data });
  return 0;
};
