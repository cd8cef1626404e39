/** What a response follows: an earlier response, or the newest one of a conversation. */

import type { Core } from '../../runs/core.js';
import type { Caller, Conversation } from '../../runs/ports.js';
import { isOver, type Message, type RunRecord, type SessionRecord } from '../../runs/records.js';
import { ApiError } from './failure.js';
import { kept } from './response-notes.js';
import { CONVERSATION } from './responses-request.js';

export interface Follows {
  conversation: Conversation;
  session: SessionRecord | null;
  /** What a new session is told of the one that it leaves. */
  history: readonly Pick<Message, 'role' | 'text'>[];
}

const MOST = 1000;

function checkOver(run: RunRecord | undefined): void {
  if (!run || isOver(run.status)) return;
  const message = 'The response before is not finished: it is in progress, or waits for the output of a tool call.';
  throw new ApiError(400, 'previous_response_open', message, { param: 'previous_response_id' });
}

/**
 * The session goes on natively when the response is its newest; else a new one is told what was said up to it.
 * @throws ApiError 404, 400
 */
export async function followResponse(core: Core, caller: Caller, id: string): Promise<Follows> {
  const { run } = await kept(core, caller, id);
  checkOver(run);
  const session = await core.sessions.get(run.session_id, caller);
  const runs = session ? await core.sessions.runs(run.session_id, caller) : [];
  const place = runs.findIndex(({ run_id }) => run_id === run.run_id);
  if (place === runs.length - 1 && session)
    return { conversation: { kind: 'continue', id: run.session_id }, session, history: [] };
  const before = new Set(runs.slice(0, place + 1).map(({ run_id }) => run_id));
  const said = session ? await core.sessions.transcript(run.session_id, caller) : [];
  return { conversation: { kind: 'new' }, session, history: said.filter(({ run_id }) => before.has(run_id)) };
}

/** A conversation begins with its first response. @throws ApiError 400 */
export async function followConversation(core: Core, caller: Caller, name: string): Promise<Follows> {
  const sessions = await core.sessions.list({ limit: MOST }, caller);
  const session = sessions.find(
    (one) =>
      one.metadata[CONVERSATION] === name && one.principal === caller.principal.name && one.surface === caller.surface,
  );
  if (!session) return { conversation: { kind: 'new' }, session: null, history: [] };
  checkOver((await core.sessions.runs(session.session_id, caller)).at(-1));
  return { conversation: { kind: 'continue', id: session.session_id }, session, history: [] };
}
