/** What all requests that begin or continue a turn have in common: who asks, for which session, and whether again. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Caller } from '../../runs/ports.js';
import type { Exchange } from '../listen/surface.js';
import type { Ask } from './ask.js';
import { type Api, type Begun, begin } from './begin.js';
import { invalid } from './failure.js';
import type { Follows } from './follows.js';
import { header } from './header.js';
import { shownName } from './session-names.js';

const SURFACE = 'openai';

export const callerOf = ({ principal }: Exchange): Caller => ({ principal, surface: SURFACE });

export interface Incoming {
  ask: Ask;
  body: JsonObject;
  path: string;
  /** What the request follows by name; null: nothing. */
  follows?(): Promise<Follows | null>;
}

const SESSIONS = ['x-turnout-session-id', 'x-hermes-session-id', 'x-mibyan-session-id'] as const;

/** The header that names a session, as the client spelled it. @throws ApiError 400 */
function sessionOf(exchange: Exchange): { name: string; id: string } | undefined {
  for (const name of SESSIONS) {
    const id = header(exchange, name)?.trim();
    if (id === undefined || id === '') continue;
    if (!/^[\w.:-]{1,256}$/.test(id)) throw invalid(name, 'expected an id of a session', 'invalid_session_id');
    return { name, id };
  }
  return undefined;
}

/** A caller whose first try was cut off comes back within this time, milliseconds. */
const GRACE_MS = 10_000;

/**
 * Begins, or goes on with, the turn that a request asks for, and answers from it. A caller that leaves takes the turn along,
 * unless others read it.
 */
export async function answerOf(
  exchange: Exchange,
  api: Api,
  incoming: Incoming,
  answer: (begun: Begun) => Promise<Response>,
): Promise<Response> {
  const caller = callerOf(exchange);
  const session = sessionOf(exchange);
  const again = api.retries.keyOf(exchange, incoming);
  const { path, body } = incoming;
  const begun = await begin(incoming.ask, api, {
    caller,
    session: session?.id,
    follows: incoming.follows,
    idempotency: again === undefined ? undefined : { key: again.key, request: { path, body } },
  });
  const reader = begun.turn.read();
  let streaming = false;
  // Who has seen nothing of the answer may come back for it.
  void exchange.over.then(() => reader.leave(again?.retries && !streaming ? GRACE_MS : 0));
  const response = await answer(begun);
  streaming = true;
  const { run } = begun.turn;
  const { run_id } = run;
  response.headers.set(session?.name ?? SESSIONS[0], shownName(run));
  response.headers.set('x-turnout-run-id', run_id);
  return response;
}
