/** `exec`: one turn, its events as they happen, and what it came to. */

import { checkSchema, planKeys, readKeys } from '../../request/from-json.js';
import type { Given as Asked } from '../../request/table.js';
import type { TurnPlan } from '../../runs/plan.js';
import type { SessionRecord } from '../../runs/records.js';
import type { Run } from '../../runs/run.js';
import { recap } from '../../runs/sessions.js';
import { summary } from './describe.js';
import type { Op, OpContext } from './op.js';
import { flag, OpError, text } from './request.js';
import { passOn } from './stream-run.js';

/** What beginning a turn needs to know of a request. */
export type Submitting = Pick<OpContext, 'core' | 'fields' | 'memory' | 'given' | 'scope'> & {
  /** How deep the caller says it is inside of our own turns; what our environment says when absent. */
  depth?: number;
};

/** What the request continues: a session of ours, a fork of one, or nothing. */
function begun({ core, fields, memory, given }: Submitting): { session: SessionRecord | null; before: string | null } {
  const named = text(fields, 'session');
  if (named === undefined) return { session: null, before: null };
  const id = named === 'last' ? memory.session : named;
  const found = id === null ? null : core.sessions.get(id);
  if (!found) {
    const message = named === 'last' ? 'there is no last session yet' : `there is no session ${named}`;
    throw new OpError(message, 1, 'not-found');
  }
  const session = flag(fields, 'fork') ? core.sessions.fork(found.session_id, given) : found;
  // A runtime that never heard of the session is told what was said before.
  const before = session.native_id === null ? recap(core.sessions.transcript(session.session_id)) : null;
  return { session, before };
}

/** What the connection and the session remember stands in for what is left out. @throws UsageError */
export function planExec(
  asked: Asked,
  { core, memory, session }: Pick<OpContext, 'core' | 'memory'> & { session: SessionRecord | null },
): TurnPlan {
  const given: Asked = {
    ...asked,
    runtime: asked.runtime ?? session?.runtime ?? memory.runtime ?? undefined,
    cwd: asked.cwd ?? session?.cwd ?? memory.cwd ?? undefined,
    resume: asked.resume ?? session?.native_id ?? undefined,
  };
  return planKeys(given, { cwd: core.cwd, ambient: core.ambient });
}

/**
 * Begins the turn and keeps in mind what the next request need not say.
 * @param asked the options of the turn, read from `fields`
 * @throws OpError, CoreError, UsageError
 */
export function submit(
  asked: Asked,
  context: Submitting,
): { run: Run; seen: boolean } | { run: null; seen: true; id: string } {
  const { core, fields, memory, given } = context;
  // How an answer is delivered is no part of what is asked.
  const { id: _id, op: _op, detach: _detach, idempotency_key: _key, ...request } = fields;
  const key = text(fields, 'idempotency_key');
  const idempotency = key === undefined ? undefined : { key, scope: context.scope, request };
  const known = idempotency ? core.runs.seen(idempotency) : null;
  if (known) {
    const run = core.runs.live(known.run_id);
    return run ? { run, seen: true } : { run: null, seen: true, id: known.run_id };
  }
  const { session, before } = begun(context);
  const plan: TurnPlan = planExec(asked, { core, memory, session });
  if (context.depth !== undefined) plan.depth = context.depth;
  if (before !== null) {
    const system = plan.request.system === null ? before : `${plan.request.system}\n\n${before}`;
    plan.request = { ...plan.request, system };
  }
  const { runtime, cwd, prompt, resume } = plan.request;
  const of = session ?? core.sessions.create({ runtime, cwd, prompt, native: resume }, given);
  const run = core.runs.submit({ plan, session: of.session_id, given, ...(idempotency ? { idempotency } : {}) });
  memory.runtime = runtime;
  memory.cwd = cwd;
  return { run, seen: false };
}

export const exec: Op = async (context) => {
  const { core, fields, memory, reply } = context;
  const detach = flag(fields, 'detach');
  const asked = readKeys(fields);
  // Every other request begins at once, so that the next one finds it.
  if (asked.outputSchema) await checkSchema(asked);
  const begun = submit(asked, context);
  const id = begun.run ? begun.run.id : begun.id;
  const { session_id, status } = core.runs.record(id);
  memory.run = id;
  memory.session = session_id;
  if (context.id !== null) memory.byRequest.set(context.id, id);
  const replayed = begun.seen;
  if (detach) {
    reply.result('exec', true, { run_id: id, session_id, status, detached: true, replayed });
    return 0;
  }
  // Who only sees an earlier request again does not own its run.
  const owned = begun.seen ? null : begun.run;
  const release = owned ? context.attach(owned) : () => {};
  reply.progress(status, 0, { run_id: id, session_id });
  try {
    await passOn(core.runs.log(id), { after: 0, follow: true }, reply, owned);
  } finally {
    release();
  }
  const ended = core.runs.record(id);
  reply.result('exec', ended.exit_code === 0, { ...summary(ended), replayed });
  return ended.exit_code ?? 1;
};
