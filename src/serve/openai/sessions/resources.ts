/** `/api/sessions`: list, create, look at, rename, delete, fork. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { SessionRecord } from '../../../runs/records.js';
import { isObject } from '../../../text/json.js';
import type { Exchange } from '../../listen/surface.js';
import type { Api } from '../begin.js';
import { ApiError, invalid } from '../failure.js';
import { readModel } from '../model-name.js';
import type { Names } from '../names.js';
import { text } from '../reading.js';
import { callerOf } from '../requests.js';
import { SESSION_END, SESSION_NAME, SESSION_SYSTEM, sessionNamed, shownName } from '../session-names.js';
import { messageShown, sessionShown } from './shape.js';

export interface SessionsContext {
  api: Api;
  names: Names;
}

const LIMIT = 50;
const MOST = 200;
/** Beyond this nobody pages. */
const FAR = 1_000_000;

const nameIn = ({ params }: Exchange): string => params['id'] ?? '';

/** @throws ApiError 404 session_not_found, also for one of another principal */
export async function needSession(exchange: Exchange, { api }: SessionsContext): Promise<SessionRecord> {
  const name = nameIn(exchange);
  const found = await sessionNamed(api.core, callerOf(exchange), name);
  if (!found) throw new ApiError(404, 'session_not_found', `Session not found: ${name}`);
  return found;
}

export function bodyOf(exchange: Exchange): JsonObject {
  const body = exchange.body.trim() === '' ? {} : exchange.json();
  if (!isObject(body)) throw invalid('body', 'expected a JSON object', 'invalid_type');
  return body;
}

async function shown(exchange: Exchange, { api }: SessionsContext, session: SessionRecord): Promise<JsonObject> {
  const caller = callerOf(exchange);
  const [runs, messages] = await Promise.all([
    api.core.sessions.runs(session.session_id, caller),
    api.core.sessions.transcript(session.session_id, caller),
  ]);
  return sessionShown({ session, runs, messages });
}

const answer = async (exchange: Exchange, context: SessionsContext, session: SessionRecord): Promise<JsonObject> => ({
  object: `${context.names.prefix}.session`,
  session: await shown(exchange, context, session),
});

/** What is not a number is not given. */
function numberIn({ query }: Exchange, name: string, usual: number, most: number): number {
  const given = query.get(name);
  return given !== null && /^\d{1,15}$/.test(given) ? Math.min(Number(given), most) : usual;
}

export async function listSessions(exchange: Exchange, context: SessionsContext): Promise<JsonObject> {
  const limit = numberIn(exchange, 'limit', LIMIT, MOST);
  const offset = numberIn(exchange, 'offset', 0, FAR);
  const found = await context.api.core.sessions.list({ limit: offset + limit + 1 }, callerOf(exchange));
  const page = found.slice(offset, offset + limit);
  const data = await Promise.all(page.map((session) => shown(exchange, context, session)));
  return { object: 'list', data, limit, offset, has_more: found.length > offset + limit };
}

/** The name that a body gives a session. @throws ApiError 400, 409 */
async function newName(exchange: Exchange, { api }: SessionsContext, body: JsonObject): Promise<string | undefined> {
  const name = (text(body, 'id') ?? text(body, 'session_id'))?.trim();
  if (name === undefined || name === '') return undefined;
  if (!/^[\w.:-]{1,256}$/.test(name)) throw invalid('id', 'expected an id of a session', 'invalid_session_id');
  if (await sessionNamed(api.core, callerOf(exchange), name))
    throw new ApiError(409, 'session_exists', `Session already exists: ${name}`);
  return name;
}

export async function createSession(exchange: Exchange, context: SessionsContext): Promise<JsonObject> {
  const { api, names } = context;
  const body = bodyOf(exchange);
  const name = await newName(exchange, context, body);
  const { runtime, model } = readModel(text(body, 'model') ?? names.model, api.rules);
  const system = text(body, 'system_prompt') ?? '';
  const session = await api.core.sessions.create(
    {
      runtime,
      cwd: api.core.cwd,
      title: text(body, 'title') ?? '',
      metadata: {
        ...(name === undefined ? {} : { [SESSION_NAME]: name }),
        ...(system === '' ? {} : { [SESSION_SYSTEM]: system }),
      },
      chosen: { access: 'scoped', model, effort: null },
    },
    callerOf(exchange),
  );
  return answer(exchange, context, session);
}

export const getSession = async (exchange: Exchange, context: SessionsContext): Promise<JsonObject> =>
  answer(exchange, context, await needSession(exchange, context));

const CHANGES = new Set(['title', 'end_reason']);

export async function changeSession(exchange: Exchange, context: SessionsContext): Promise<JsonObject> {
  const session = await needSession(exchange, context);
  const body = bodyOf(exchange);
  const [unknown] = Object.keys(body).filter((key) => !CHANGES.has(key));
  if (unknown !== undefined)
    throw invalid(unknown, 'only title and end_reason can be changed', 'unsupported_session_field');
  const end = text(body, 'end_reason');
  const what = {
    ...('title' in body ? { title: text(body, 'title') ?? '' } : {}),
    ...(end === undefined ? {} : { metadata: { ...session.metadata, [SESSION_END]: end } }),
  };
  await context.api.core.sessions.set(session.session_id, what, callerOf(exchange));
  return getSession(exchange, context);
}

export async function deleteSession(exchange: Exchange, context: SessionsContext): Promise<JsonObject> {
  const session = await needSession(exchange, context);
  await context.api.core.sessions.remove(session.session_id, callerOf(exchange));
  return { object: `${context.names.prefix}.session.deleted`, id: shownName(session), deleted: true };
}

export async function sessionMessages(exchange: Exchange, context: SessionsContext): Promise<JsonObject> {
  const session = await needSession(exchange, context);
  const name = shownName(session);
  const messages = await context.api.core.sessions.transcript(session.session_id, callerOf(exchange));
  return { object: 'list', session_id: name, data: messages.map((one, index) => messageShown(one, index, name)) };
}

export async function forkSession(exchange: Exchange, context: SessionsContext): Promise<JsonObject> {
  const { sessions } = context.api.core;
  const caller = callerOf(exchange);
  const source = await needSession(exchange, context);
  const body = bodyOf(exchange);
  const name = await newName(exchange, context, body);
  const fork = await sessions.fork(source.session_id, caller);
  const { [SESSION_NAME]: _old, [SESSION_END]: _end, ...kept } = source.metadata;
  const title = text(body, 'title') ?? (source.title === '' ? 'fork' : `${source.title} fork`);
  const metadata = name === undefined ? kept : { ...kept, [SESSION_NAME]: name };
  await sessions.set(fork.session_id, { title, metadata }, caller);
  return answer(exchange, context, (await sessions.get(fork.session_id, caller)) ?? fork);
}
