/** `POST /v1/runs`: accepts a turn and answers at once; whoever asked may leave. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { Conversation, Started } from '../../../runs/ports.js';
import type { SessionRecord } from '../../../runs/records.js';
import { isObject } from '../../../text/json.js';
import type { Exchange } from '../../listen/surface.js';
import type { Api } from '../begin.js';
import { invalid } from '../failure.js';
import { type Follows, followResponse } from '../follows.js';
import { header } from '../header.js';
import type { Names } from '../names.js';
import { prepare } from '../prepare.js';
import { callerOf } from '../requests.js';
import { findItem } from '../response-store.js';
import { givenKey } from '../retries.js';
import { asHistory, asPrompt, type Said } from '../said.js';
import { SESSION_NAME, SESSION_SYSTEM, sessionNamed, shownName } from '../session-names.js';
import { answerLate } from './patience.js';
import { type RunRequest, readRun } from './request.js';
import { modelShown } from './status.js';

interface Place {
  conversation: Conversation;
  session: SessionRecord | null;
  history: Follows['history'];
}

async function placeOf(api: Api, exchange: Exchange, request: RunRequest): Promise<Place> {
  const { core } = api;
  const caller = callerOf(exchange);
  const { session: name, previous, history } = request;
  const session = name === undefined ? null : await sessionNamed(core, caller, name);
  const told = (said: readonly Said[]) => asHistory(said);
  // What the caller tells of the past counts, also where the session knows better.
  if (history !== null) return { conversation: { kind: 'new' }, session, history: told(history) };
  if (session) return { conversation: { kind: 'continue', id: session.session_id }, session, history: [] };
  if (previous !== undefined) return followResponse(core, caller, previous);
  return { conversation: { kind: 'new' }, session: null, history: [] };
}

/** Approvals and questions are what this API is for; they have no meaning where nothing is asked. */
const asking = ({ access }: { access?: string | undefined }) =>
  access === 'full' || access === 'none' ? {} : { approvals: 'stdio' as const, questions: 'stdio' as const };

export interface StartOptions {
  names: Names;
  patienceMs: number;
}

export interface Accepted extends Started {
  /** What the session is called by whoever asked. */
  session: string;
  /** The headers of whichever answer follows. */
  headers: Record<string, string>;
}

/**
 * Accepts the turn that a request asks for.
 * @param body the request, with the session that a path names
 * @param attended whether it ends when whoever asked leaves
 * @throws ApiError @throws {CoreError} @throws UsageError
 */
export async function accept(
  exchange: Exchange,
  api: Api,
  { body, attended, names, patienceMs }: StartOptions & { body: JsonObject; attended: boolean },
): Promise<Accepted> {
  const { core, rules } = api;
  const caller = callerOf(exchange);
  const key = givenKey(exchange);
  const request = await readRun(body, {
    rules,
    find: (id) => findItem(core, caller, id),
    async usual(name) {
      const session = name === undefined ? null : await sessionNamed(core, caller, name);
      return session ? modelShown({ runtime: session.runtime, model: session.chosen?.model ?? null }) : names.model;
    },
  });
  const { ask, session: name } = request;
  const { conversation, session, history } = await placeOf(api, exchange, request);
  const own = { ...ask.own, options: { ...asking(ask.own.options), ...ask.own.options } };
  const scope = header(exchange, names.key.toLowerCase());
  const pictures = ask.messages.flatMap(({ images }) => images);
  const asked = { prompt: asPrompt(ask.messages), images: pictures, cwd: session?.cwd };
  const system = [session?.metadata[SESSION_SYSTEM] ?? '', ask.system ?? ''].filter((one) => one !== '').join('\n\n');
  const { plan, release } = await prepare({ ...ask, own, system: system === '' ? null : system }, asked, api);
  let started: Started;
  try {
    started = await core.runs.start({
      caller,
      plan,
      conversation,
      history,
      metadata: { ...ask.metadata, ...(name === undefined ? {} : { [SESSION_NAME]: name }) },
      whenFull: 'refuse',
      attended,
      release,
      ...(key === undefined
        ? {}
        : { idempotency: { key: `run:${key}`, request: { path: exchange.path, body, scope: scope ?? null } } }),
    });
  } catch (error) {
    await release();
    throw error;
  }
  const { run, replayed } = started;
  if (!replayed) void answerLate(core, caller, run.run_id, patienceMs).catch(api.complain);
  const headers = {
    [names.session]: shownName(run),
    ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
    ...(scope === undefined ? {} : { [names.key]: scope }),
  };
  return { ...started, session: shownName(run), headers };
}

/** `POST /v1/runs`. @throws ApiError @throws {CoreError} @throws UsageError */
export async function startRun(exchange: Exchange, api: Api, options: StartOptions): Promise<Response> {
  const body = exchange.json();
  if (!isObject(body)) throw invalid('body', 'expected a JSON object', 'invalid_type');
  const { run, replayed, session, headers } = await accept(exchange, api, { ...options, body, attended: false });
  const answer = { run_id: run.run_id, status: replayed ? run.status : 'started', replayed, session_id: session };
  return Response.json(answer, { status: 202, headers });
}
