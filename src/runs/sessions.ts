/** Sessions: our id beside the runtime's, so that a caller can go on without knowing what the runtime calls it. */

import { realpathSync } from 'node:fs';
import { type Given, liveGiven } from './clock-and-ids.js';
import { CoreError } from './failure.js';
import { everyRunOf, needSession, runsOf, titleOf, transcriptOf } from './history.js';
import type { Caller, Conversation, SessionNews, Sessions, Submission } from './ports.js';
import { isOver, type Metadata, type Said, type SessionChoice, type SessionRecord } from './records.js';
import { sees } from './sight.js';
import type { Store } from './store/store.js';

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const sessionId = (given: Given): string => `ses_${given.id().replaceAll('-', '')}`;

/** @param what.native set when the caller continues a session that only the runtime knows so far */
export function newSession(
  what: {
    runtime: string;
    cwd: string;
    title: string;
    native?: string | null;
    metadata?: Metadata;
    opening?: readonly Said[];
    chosen?: SessionChoice;
  },
  caller: Caller,
  given: Given,
): SessionRecord {
  const now = given.now();
  return {
    session_id: sessionId(given),
    native_id: what.native ?? null,
    runtime: what.runtime,
    cwd: realPath(what.cwd),
    title: titleOf(what.title),
    parent: null,
    ...(what.opening && what.opening.length > 0 ? { opening: what.opening } : {}),
    ...(what.chosen ? { chosen: what.chosen } : {}),
    created_at: now,
    updated_at: now,
    principal: caller.principal.name,
    surface: caller.surface,
    metadata: what.metadata ?? {},
  };
}

/** The session that a submission begins, not yet put anywhere. */
export function openedBy(
  { plan, caller, given = liveGiven(), metadata }: Submission,
  conversation: Extract<Conversation, { kind: 'new' }>,
): SessionRecord {
  const { runtime, cwd, prompt, resume } = plan.request;
  const { native = resume, title = prompt } = conversation;
  const more = metadata === undefined ? {} : { metadata };
  return newSession({ runtime, cwd, title, native, ...more }, caller, given);
}

/** @param store holds the session and its runs */
export function forkOf(store: Store, from: SessionRecord, caller: Caller, given: Given): SessionRecord {
  const now = given.now();
  // A turn that is not over is not part of the fork: its prompt would stand there without an answer.
  const open = runsOf(store, from.session_id).filter(({ status }) => !isOver(status));
  const dropped = [...(from.dropped ?? []), ...open.map(({ run_id }) => run_id)];
  return {
    ...from,
    ...(dropped.length > 0 ? { dropped } : {}),
    session_id: sessionId(given),
    native_id: null,
    parent: from.session_id,
    created_at: now,
    updated_at: now,
    principal: caller.principal.name,
    surface: caller.surface,
  };
}

/** @returns null also for one that was deleted, or belongs to somebody else */
function sessionFor(store: Store, id: string, caller: Caller): SessionRecord | null {
  const found = store.session(id);
  return found && !found.deleted && sees(caller, found) ? found : null;
}

/** @throws {CoreError} not-found */
export function needSessionFor(store: Store, id: string, caller: Caller): SessionRecord {
  const found = sessionFor(store, id, caller);
  if (!found) throw new CoreError('not-found', `there is no session ${id}`);
  return found;
}

/** @throws {CoreError} store */
function remove(store: Store, id: string): void {
  const forked = store.sessions({ limit: Number.MAX_SAFE_INTEGER }).some((one) => one.parent === id);
  if (forked) return store.putSession({ ...needSession(store, id), deleted: true });
  const parent = store.session(id)?.parent ?? null;
  store.dropSession(id);
  // The last fork of a deleted session takes it along.
  if (parent !== null && store.session(parent)?.deleted) remove(store, parent);
}

/**
 * @param follow reads the news of one session
 * @param letGo ends the program that is kept for a session
 */
export function sessions(
  store: Store,
  follow: (id: string, options: { after?: string; signal?: AbortSignal }, caller: Caller) => AsyncIterable<SessionNews>,
  letGo: (session: SessionRecord) => Promise<void> = async () => {},
): Sessions {
  return {
    async create({ title = '', ...what }, caller, given = liveGiven()) {
      const made = newSession({ ...what, title }, caller, given);
      store.putSession(made);
      await store.commit();
      return made;
    },
    async fork(id, caller, given = liveGiven()) {
      const made = forkOf(store, needSessionFor(store, id, caller), caller, given);
      store.putSession(made);
      await store.commit();
      return made;
    },
    get: async (id, caller) => sessionFor(store, id, caller),
    async list(filter, caller) {
      const own = caller.principal.kind === 'owner' ? {} : { principal: caller.principal.name };
      return store.sessions({ ...filter, ...own }).filter((one) => !one.deleted);
    },
    async runs(id, caller, dropped = false) {
      needSessionFor(store, id, caller);
      return dropped ? everyRunOf(store, id) : runsOf(store, id);
    },
    async rewind(id, run, caller) {
      const session = needSessionFor(store, id, caller);
      const runs = runsOf(store, id);
      const from = runs.findIndex(({ run_id }) => run_id === run);
      if (from < 0) throw new CoreError('not-found', `there is no run ${run} in session ${id}`);
      if (runs.some(({ status }) => !isOver(status)))
        throw new CoreError('session-busy', `a turn of session ${id} is under way; wait for it or cancel it`);
      const dropped = [...(session.dropped ?? []), ...runs.slice(from).map(({ run_id }) => run_id)];
      store.putSession({ ...session, dropped, native_id: null });
      try {
        await store.commit();
      } catch (error) {
        store.putSession(session);
        throw error;
      }
      await letGo(session);
    },
    async transcript(id, caller) {
      needSessionFor(store, id, caller);
      return transcriptOf(store, id);
    },
    async set(id, what, caller) {
      store.putSession({ ...needSessionFor(store, id, caller), ...what });
      await store.commit();
    },
    async remove(id, caller) {
      const gone = sessionFor(store, id, caller);
      if (!gone) return;
      remove(store, id);
      await store.commit();
      await letGo(gone);
    },
    async find(query, top, caller) {
      return store.find(query, top, caller.principal.kind === 'owner' ? undefined : caller.principal.name);
    },
    follow,
  };
}
