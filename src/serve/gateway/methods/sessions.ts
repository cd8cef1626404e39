/** Sessions: begun, opened, listed, closed and deleted. One id names a session as long as it is kept. */

import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { EFFORTS, type Json, type JsonObject } from '../../../contract/vocabulary.js';
import { isOver, type Said, type SessionRecord } from '../../../runs/records.js';
import { str } from '../../../text/json.js';
import { runtimeFor } from '../choice.js';
import { freeTitle, needSession, storedSession, titled } from '../find.js';
import { historyOf } from '../history.js';
import { infoOf, modelOf } from '../info.js';
import { type Asking, type Methods, method } from '../method.js';
import { any, flag, list, text, whole } from '../params.js';
import { CODE, RpcError } from '../rpc.js';
import { snapshot, statusOf } from '../snapshot.js';

const MOST_LISTED = 200;

/** @throws {RpcError} 4017 */
function folder(path: string): string {
  const found = isAbsolute(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (found?.isDirectory()) return path;
  throw new RpcError(CODE.badFolder, `working directory does not exist: ${path}`);
}

/** What was said elsewhere before. @throws {RpcError} */
function opening(messages: readonly Json[]): Said[] {
  return messages.flatMap((one): Said[] => {
    const role = str(one, 'role');
    const said = str(one, 'content') ?? str(one, 'text');
    if (said === undefined || (role !== 'user' && role !== 'assistant'))
      throw new RpcError(CODE.badParam, 'messages: expected role (user or assistant) and content, a string');
    // What a client keeps for itself was not said by anybody.
    return str(one, 'display_kind') === 'hidden' ? [] : [{ role, text: said }];
  });
}

/** Everything that the session's turns are or were, without their logs. */
async function lastOf({ gateway, caller }: Asking, { session_id }: SessionRecord) {
  const runs = await gateway.core.sessions.runs(session_id, caller);
  return { count: runs.length, preview: runs.at(0)?.prompt.slice(0, 200) ?? '', status: statusOf(runs) };
}

async function listed(asking: Asking, record: SessionRecord): Promise<JsonObject> {
  const { count, preview } = await lastOf(asking, record);
  const { session_id, title, created_at, updated_at, surface, runtime, cwd } = record;
  return {
    id: session_id,
    title,
    preview,
    started_at: created_at / 1000,
    last_active: updated_at / 1000,
    message_count: 2 * count + (record.opening?.length ?? 0),
    source: surface,
    provider: runtime,
    cwd,
  };
}

async function live(asking: Asking, current: string | undefined): Promise<JsonObject> {
  const { gateway, caller } = asking;
  const sessions: JsonObject[] = [];
  for (const open of [...gateway.open.values()]) {
    const record = await gateway.core.sessions.get(open.id, caller);
    if (!record) continue;
    const { count, preview, status } = await lastOf(asking, record);
    sessions.push({
      current: open.id === current,
      id: open.id,
      session_key: open.id,
      title: record.title,
      preview,
      model: modelOf(record),
      status,
      message_count: 2 * count,
      started_at: open.startedAt / 1000,
      last_active: open.lastActive / 1000,
    });
  }
  return { sessions };
}

async function running({ gateway, caller }: Asking, id: string) {
  return (await gateway.core.sessions.runs(id, caller)).filter(({ status }) => !isOver(status));
}

/** Ends what the session does, unless another client sees it. */
async function close(asking: Asking, id: string): Promise<boolean> {
  const { gateway, caller } = asking;
  const open = gateway.open.get(id);
  const record = await gateway.core.sessions.get(id, caller);
  if (!open || !record) return false;
  asking.detach(id);
  if (open.viewers.size > 0) return true;
  gateway.open.delete(id);
  for (const { remove } of open.images) await remove();
  for (const { run_id } of await running(asking, id)) await gateway.core.runs.send(run_id, { type: 'cancel' }, caller);
  await gateway.core.letGo(record);
  return true;
}

export const SESSIONS: Methods = {
  'session.create': method(
    {
      cwd: text,
      title: text,
      model: text,
      provider: text,
      reasoning_effort: text,
      messages: list,
      parent_session_id: text,
      close_on_disconnect: flag,
      cols: whole,
      source: text,
      fast: flag,
      hidden: flag,
      profile: text,
    },
    async (asking, given) => {
      const { gateway, caller } = asking;
      const cwd = given.cwd === undefined ? gateway.core.cwd : folder(given.cwd);
      const runtime = await runtimeFor(gateway, { provider: given.provider, model: given.model });
      const effort = EFFORTS.find((one) => one === given.reasoning_effort) ?? null;
      if (given.reasoning_effort && effort === null)
        throw new RpcError(CODE.badParam, `reasoning_effort: expected ${EFFORTS.join(', ')}`);
      const title = given.title?.trim() ?? '';
      if (title !== '' && (await titled(asking, title)))
        throw new RpcError(CODE.titleTaken, `Title '${title}' is already in use`);
      const record = await gateway.core.sessions.create(
        {
          runtime,
          cwd,
          title,
          opening: opening(given.messages ?? []),
          chosen: { access: gateway.options.access, model: given.model ?? null, effort },
        },
        caller,
      );
      await asking.attach(record.session_id);
      if (given.close_on_disconnect) asking.closeWithMe(record.session_id);
      const { rows } = await historyOf(gateway.core, record, caller);
      return {
        session_id: record.session_id,
        stored_session_id: record.session_id,
        message_count: rows.length,
        messages: rows,
        info: await infoOf(gateway, record, caller, false),
      };
    },
  ),
  'session.resume': method(
    {
      session_id: text,
      omit_messages: flag,
      lazy: flag,
      defer_history: flag,
      eager_build: flag,
      close_on_disconnect: flag,
      cols: whole,
      profile: text,
    },
    async (asking, given) => {
      const record = await storedSession(asking, given.session_id);
      if (given.close_on_disconnect) asking.closeWithMe(record.session_id);
      return { resumed: record.session_id, ...(await snapshot(asking, record, given.omit_messages ?? false)) };
    },
  ),
  'session.activate': method({ session_id: text, omit_messages: flag, profile: text }, async (asking, given) =>
    snapshot(asking, await needSession(asking, given.session_id), given.omit_messages ?? false),
  ),
  'session.close': method({ session_id: text, profile: text }, async (asking, { session_id }) => ({
    closed: session_id !== undefined && (await close(asking, session_id)),
  })),
  'session.delete': method({ session_id: text, profile: text }, async (asking, given) => {
    const { gateway, caller } = asking;
    const { session_id } = await storedSession(asking, given.session_id);
    if (gateway.open.has(session_id) || (await running(asking, session_id)).length > 0)
      throw new RpcError(CODE.deleteLive, 'cannot delete an active session');
    await gateway.core.sessions.remove(session_id, caller);
    return { deleted: session_id };
  }),
  'session.list': method(
    { title: text, limit: whole, include_hidden: flag, profile: text },
    async (asking, { title, limit = 50 }) => {
      const all = await asking.gateway.core.sessions.list({ limit: Number.MAX_SAFE_INTEGER }, asking.caller);
      // A session that nothing was said in has no title.
      const said = all.filter((one) => one.title !== '' && (title === undefined || one.title === title));
      const most = Math.min(Math.max(limit, 1), MOST_LISTED);
      return { sessions: await Promise.all(said.slice(0, most).map((one) => listed(asking, one))) };
    },
  ),
  'session.most_recent': method({ source: text, profile: text }, async ({ gateway, caller }) => {
    const all = await gateway.core.sessions.list({ limit: 1000 }, caller);
    const last = all.find(({ title }) => title !== '');
    if (!last) return { session_id: null, title: '', started_at: null, source: '' };
    const { session_id, title, created_at, surface } = last;
    return { session_id, title, started_at: created_at / 1000, source: surface };
  }),
  'session.active_list': method({ current_session_id: text, profile: text }, (asking, given) =>
    live(asking, given.current_session_id),
  ),
  'session.branch': method({ session_id: text, name: text, count: any, profile: text }, async (asking, given) => {
    const { gateway, caller } = asking;
    const { core } = gateway;
    const parent = await needSession(asking, given.session_id);
    const { rows } = await historyOf(core, parent, caller);
    if (rows.length === 0) throw new RpcError(CODE.nothingToBranch, 'nothing to branch: send a message first');
    const name = given.name?.trim() ?? '';
    if (name !== '' && (await titled(asking, name)))
      throw new RpcError(CODE.notStored, `branch failed: Title '${name}' is already in use`);
    const title = name === '' ? await freeTitle(asking, parent.title || 'branch') : name;
    const made = await core.sessions.fork(parent.session_id, caller);
    await core.sessions.set(made.session_id, { title }, caller);
    const record = { ...made, title };
    await asking.attach(made.session_id);
    return {
      session_id: made.session_id,
      stored_session_id: made.session_id,
      title,
      parent: parent.session_id,
      message_count: rows.length,
      messages: rows,
      info: await infoOf(gateway, record, caller, false),
    };
  }),
};
