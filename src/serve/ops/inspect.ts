/** `inspect`: runs, sessions, cost and agents of the last hours, as data and as lines for people. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { duration, whole, word } from '../../request/fields.js';
import type { RunRecord } from '../../runs/records.js';
import { addKnown } from '../../text/json.js';
import { brief, session } from './describe.js';
import type { Op } from './op.js';

const DAY = 24 * 60 * 60 * 1000;
const MOST = 100_000;

type By = 'runtime' | 'model' | 'session' | 'day';

function keyOf(run: RunRecord, by: By): string {
  switch (by) {
    case 'runtime':
      return run.runtime;
    case 'model':
      return run.model ?? `${run.runtime} (its own choice)`;
    case 'session':
      return run.session_id;
    case 'day':
      return new Date(run.created_at).toISOString().slice(0, 10);
    default: {
      const never: never = by;
      throw new Error(`unknown group ${String(never)}`);
    }
  }
}

export interface Spent {
  key: string;
  runs: number;
  /** Runs whose cost nobody knows: the sum is at least what is shown. */
  unknown_cost: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

/** The dearest group first; figures that nobody reported stay null. */
function costs(runs: readonly RunRecord[], by: By): Spent[] {
  const groups = new Map<string, Spent>();
  for (const run of runs) {
    const key = keyOf(run, by);
    const group = groups.get(key) ?? {
      key,
      runs: 0,
      unknown_cost: 0,
      input_tokens: null,
      output_tokens: null,
      cost_usd: null,
    };
    groups.set(key, group);
    group.runs += 1;
    if (run.cost_usd === null) group.unknown_cost += 1;
    group.input_tokens = addKnown(group.input_tokens, run.input_tokens);
    group.output_tokens = addKnown(group.output_tokens, run.output_tokens);
    group.cost_usd = addKnown(group.cost_usd, run.cost_usd);
  }
  return [...groups.values()].sort((a, b) => (b.cost_usd ?? -1) - (a.cost_usd ?? -1) || (a.key < b.key ? -1 : 1));
}

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
  const by = word(fields, 'by', ['runtime', 'model', 'session', 'day'] as const) ?? 'runtime';
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
      data = costs(await runs(), by)
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
