/** `org logs`, `org report` and `org costs`: what stands in the log of a run, and what it adds up to. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { orgRunId } from '../../runs/org/series.js';
import type { RunRecord } from '../../runs/records.js';
import type { Store } from '../../runs/store/store.js';
import { num, obj, parseObject, str } from '../../text/json.js';
import { linesFrom } from './follow.js';
import type { Org, Project } from './project.js';

export type Kept = Project & { store: Store };

/** All lines of a run; one that can't be read is left out. */
export async function eventsOf(project: Kept, org: Org, run: RunRecord): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  const stop = () => Promise.resolve(false);
  for await (const json of linesFrom(project, org, { run: orgRunId(run), follow: false }, stop)) {
    const event = parseObject(json);
    if (event) found.push(event);
  }
  return found;
}

interface Figures {
  events: number;
  messages: number;
  tokens: number;
  /** null: nothing is known. */
  cost_usd: number | null;
  /** Some of the cost is not known. */
  open: boolean;
}

/** By role, in the order in which they spoke. */
function figures(events: readonly JsonObject[]): Map<string, Figures> {
  const roles = new Map<string, Figures>();
  for (const event of events) {
    const from = str(event, 'from');
    if (from === undefined) continue;
    const sums = roles.get(from) ?? { events: 0, messages: 0, tokens: 0, cost_usd: null, open: false };
    roles.set(from, sums);
    sums.events += 1;
    if (event['type'] === 'chat') sums.messages += 1;
    if (event['type'] !== 'usage') continue;
    const data = obj(event, 'data');
    sums.tokens += num(data, 'tokens') ?? 0;
    const cost = num(data, 'cost_usd');
    if (cost === undefined) sums.open = true;
    else sums.cost_usd = (sums.cost_usd ?? 0) + cost;
  }
  return roles;
}

/** A cost that is not known in full is a lower bound; one that nobody told is null. */
function total(roles: Iterable<Figures>): {
  tokens: number;
  messages: number;
  cost_usd: number | null;
  complete: boolean;
} {
  const sum = { tokens: 0, messages: 0, cost_usd: null as number | null, complete: true };
  for (const { tokens, messages, cost_usd, open } of roles) {
    sum.tokens += tokens;
    sum.messages += messages;
    if (cost_usd !== null) sum.cost_usd = (sum.cost_usd ?? 0) + cost_usd;
    if (open || cost_usd === null) sum.complete = false;
  }
  return sum;
}

export async function costsOf(project: Kept, org: Org, run: RunRecord): Promise<JsonObject> {
  const roles = figures(await eventsOf(project, org, run));
  const { tokens, messages, cost_usd, complete } = total(roles.values());
  const items = [...roles].map(
    ([role, one]): Json => ({ role, tokens: one.tokens, cost_usd: one.cost_usd, messages: one.messages }),
  );
  return {
    v: 1,
    org: org.name,
    run: orgRunId(run),
    items,
    totals: { tokens, cost_usd, messages, cost_complete: complete },
  };
}

export async function reportOf(project: Kept, org: Org, run: RunRecord): Promise<JsonObject> {
  const events = await eventsOf(project, org, run);
  const roles = figures(events);
  const { messages, cost_usd, complete } = total(roles.values());
  const shown = [...roles].map(([role, { open: _, ...one }]) => [role, one] as const);
  return {
    v: 1,
    org: org.name,
    run: orgRunId(run),
    status: run.status,
    started_at: new Date(run.created_at).toISOString(),
    ended_at: run.ended_at === null ? null : new Date(run.ended_at).toISOString(),
    events: events.length,
    messages,
    roles: Object.fromEntries(shown),
    total_cost_usd: cost_usd,
    cost_complete: complete,
  };
}
