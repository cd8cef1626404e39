/** `exec`: one turn, its events as they happen, and what it came to. */

import { flag, text } from '../../request/fields.js';
import { checkSchema, planKeys, readKeys } from '../../request/from-json.js';
import type { Given as Asked } from '../../request/table.js';
import type { TurnPlan } from '../../runs/plan.js';
import type { Conversation, Started } from '../../runs/ports.js';
import type { SessionRecord } from '../../runs/records.js';
import { summary } from './describe.js';
import type { Op, OpContext } from './op.js';
import { OpError } from './request.js';
import { passOn } from './stream-run.js';

/** What beginning a turn needs to know of a request. */
export type Submitting = Pick<OpContext, 'core' | 'fields' | 'memory' | 'given' | 'caller' | 'id'> & {
  /** How deep the caller says it is inside of our own turns; what our environment says when absent. */
  depth?: number;
};

/** What the request continues: a session of ours, a fork of one, or nothing. */
async function continued(context: Submitting): Promise<{ session: SessionRecord | null; conversation: Conversation }> {
  const { core, fields, memory, caller } = context;
  const named = text(fields, 'session');
  if (named === undefined) return { session: null, conversation: { kind: 'new' } };
  const id = named === 'last' ? memory.session : named;
  const session = id === null ? null : await core.sessions.get(id, caller);
  if (!session) {
    const message = named === 'last' ? 'there is no last session yet' : `there is no session ${named}`;
    throw new OpError(message, 1, 'not-found');
  }
  return { session, conversation: { kind: flag(fields, 'fork') ? 'fork' : 'continue', id: session.session_id } };
}

/** What the connection and the session remember stands in for what is left out. @throws {UsageError} */
export function planExec(
  asked: Asked,
  { core, memory, session }: Pick<OpContext, 'core' | 'memory'> & { session: SessionRecord | null },
): TurnPlan {
  const given: Asked = {
    ...asked,
    runtime: asked.runtime ?? session?.runtime ?? memory.runtime ?? undefined,
    cwd: asked.cwd ?? session?.cwd ?? memory.cwd ?? undefined,
  };
  return planKeys(given, { cwd: core.cwd, ambient: core.ambient });
}

async function begin(asked: Asked, context: Submitting, attended: boolean): Promise<Started> {
  const { core, fields, memory, given, caller } = context;
  // How an answer is delivered is not part of what is asked.
  const { id: _id, op: _op, detach: _detach, idempotency_key: _key, ...request } = fields;
  const key = text(fields, 'idempotency_key');
  const idempotency = key === undefined ? {} : { idempotency: { key, request } };
  const { session, conversation } = await continued(context);
  if (asked.outputSchema) await checkSchema(asked);
  const plan: TurnPlan = planExec(asked, { core, memory, session });
  if (context.depth !== undefined) plan.depth = context.depth;
  const started = await core.runs.start({ caller, plan, conversation, attended, given, ...idempotency });
  memory.run = started.run.run_id;
  memory.session = started.run.session_id;
  if (context.id !== null) memory.byRequest.set(context.id, started.run.run_id);
  if (started.replayed) return started;
  memory.runtime = plan.request.runtime;
  memory.cwd = plan.request.cwd;
  return started;
}

/**
 * Begins the turn and keeps in mind what the next request need not say. Requests of one connection are accepted in the
 * order in which they came, also those that run side by side: `session: last` is the session of the request before.
 * @param asked the options of the turn, read from `fields`
 * @throws {OpError} @throws {CoreError} @throws {UsageError}
 */
export function submit(asked: Asked, context: Submitting, attended: boolean): Promise<Started> {
  const { memory } = context;
  const begun = memory.accepted.then(() => begin(asked, context, attended));
  memory.accepted = begun.then(
    () => {},
    () => {},
  );
  return begun;
}

export const exec: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const detach = flag(fields, 'detach');
  const { run, replayed, attendance } = await submit(readKeys(fields), context, !detach);
  const { run_id: id, session_id, status } = run;
  if (detach) {
    reply.result('exec', true, { run_id: id, session_id, status, detached: true, replayed });
    return 0;
  }
  const release = attendance === null ? () => {} : context.attach(id, attendance);
  reply.progress(status, 0, { run_id: id, session_id });
  try {
    // A run that others wait for, too, is not held back by one who asked again.
    await passOn(context, id, { after: 0, follow: true, holds: !replayed });
  } finally {
    release();
  }
  const ended = (await core.runs.get(id, caller)).run;
  reply.result('exec', ended.exit_code === 0, { ...summary(ended), replayed });
  return ended.exit_code ?? 1;
};
