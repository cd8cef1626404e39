/** A turn asked for on a connection, or in one call: what the caller said before stands in for what it leaves out. */

import type { JsonObject } from '../contract/vocabulary.js';
import { flag, text } from '../request/fields.js';
import { checkSchema, planKeys } from '../request/from-json.js';
import type { Given as Asked } from '../request/table.js';
import type { Given } from './clock-and-ids.js';
import type { Core } from './core.js';
import type { TurnPlan } from './plan.js';
import type { Caller, Conversation, Started } from './ports.js';
import type { SessionRecord } from './records.js';
import { RequestError } from './request-error.js';

/** What a caller names its request. */
export type RequestId = string | number;

/** What one connection remembers, so that the next request need not say it again. */
export interface Memory {
  runtime: string | null;
  cwd: string | null;
  run: string | null;
  session: string | null;
  /** Runs by the id of the request that began them. */
  byRequest: Map<RequestId, string>;
  /** Settles when the turns that were asked for so far are accepted or refused. */
  accepted: Promise<void>;
}

export const emptyMemory = (): Memory => ({
  runtime: null,
  cwd: null,
  run: null,
  session: null,
  byRequest: new Map(),
  accepted: Promise.resolve(),
});

/** What beginning a turn needs to know of a request. */
export interface Submitting {
  core: Core;
  fields: JsonObject;
  memory: Memory;
  given: Given;
  caller: Caller;
  id: RequestId | null;
  /** How deep the caller says it is inside of our own turns; what our environment says when absent. */
  depth?: number;
}

/** What the request continues: a session of ours, a fork of one, or nothing. */
async function continued(context: Submitting): Promise<{ session: SessionRecord | null; conversation: Conversation }> {
  const { core, fields, memory, caller } = context;
  const named = text(fields, 'session');
  if (named === undefined) return { session: null, conversation: { kind: 'new' } };
  const id = named === 'last' ? memory.session : named;
  const session = id === null ? null : await core.sessions.get(id, caller);
  if (!session) {
    const message = named === 'last' ? 'there is no last session yet' : `there is no session ${named}`;
    throw new RequestError(message, 1, 'not-found');
  }
  return { session, conversation: { kind: flag(fields, 'fork') ? 'fork' : 'continue', id: session.session_id } };
}

/** What the connection and the session remember stands in for what is left out. @throws {UsageError} */
export function planExec(
  asked: Asked,
  { core, memory, session }: Pick<Submitting, 'core' | 'memory'> & { session: SessionRecord | null },
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
 * @throws {RequestError} @throws {CoreError} @throws {UsageError}
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
