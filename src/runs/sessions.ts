/** Sessions: our id beside the runtime's, so that a caller can go on without knowing what the runtime calls it. */

import { realpathSync } from 'node:fs';
import type { Given } from './clock-and-ids.js';
import { CoreError } from './failure.js';
import type { Message, RunRecord, SessionRecord } from './records.js';
import type { SessionFilter, Store } from './store/store.js';

export interface Sessions {
  /** @param native set when the caller continues a session that only the runtime knows so far */
  create(what: { runtime: string; cwd: string; prompt: string; native?: string | null }, given: Given): SessionRecord;
  /** A new session that begins with what was said in another. @throws CoreError not-found */
  fork(parent: string, given: Given): SessionRecord;
  get(id: string): SessionRecord | null;
  list(filter: SessionFilter): SessionRecord[];
  /** Its runs, oldest first, after those that were there when it was forked. @throws CoreError not-found */
  runs(id: string): RunRecord[];
  /** @throws CoreError not-found */
  transcript(id: string): Message[];
  /** The runtime told its id, or what `auto` stands for. */
  learned(id: string, what: { native?: string; runtime?: string }): void;
  /** Something else of it was decided. A runtime of another kind does not know its own id: give null for that. */
  set(id: string, what: Partial<Pick<SessionRecord, 'title' | 'runtime' | 'native_id' | 'chosen'>>): void;
  /** Forgets it and its runs; what forks of it need of it is kept out of sight. */
  remove(id: string): void;
  used(id: string, at: number): void;
}

const TITLE = 80;

/** The first line that is not empty, cut at a word's end. */
export function titleOf(prompt: string): string {
  const line =
    prompt
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ?? '';
  if (line.length <= TITLE) return line;
  const cut = line.slice(0, TITLE).replace(/[\ud800-\udbff]$/, '');
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE / 2)).trimEnd()}…`;
}

const seen = (session: SessionRecord | null): SessionRecord | null => (session?.deleted ? null : session);

export const sessionId = (given: Given): string => `ses_${given.id().replaceAll('-', '')}`;

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What was said in a run, as far as it is known. */
export function messagesOf(run: RunRecord): Message[] {
  const asked: Message = { role: 'user', text: run.prompt, run_id: run.run_id, at: run.created_at };
  if (run.text === null) return [asked];
  return [asked, { role: 'assistant', text: run.text, run_id: run.run_id, at: run.ended_at ?? run.updated_at }];
}

export function sessions(store: Store): Sessions {
  function must(id: string): SessionRecord {
    const found = store.session(id);
    if (!found) throw new CoreError('not-found', `there is no session ${id}`);
    return found;
  }
  function change(id: string, what: Partial<SessionRecord>): void {
    const found = store.session(id);
    if (found) store.putSession({ ...found, ...what });
  }
  function transcript(id: string): Message[] {
    const { parent, created_at } = must(id);
    const before = parent === null || !store.session(parent) ? [] : transcript(parent);
    // What the parent learned after the fork is not part of the fork.
    return [...before.filter(({ at }) => at <= created_at), ...store.runsOf(id).flatMap(messagesOf)];
  }
  function runs(id: string): RunRecord[] {
    const { parent, created_at } = must(id);
    const before = parent === null || !store.session(parent) ? [] : runs(parent);
    return [...before.filter((run) => run.created_at <= created_at), ...store.runsOf(id)];
  }
  function remove(id: string): void {
    const forked = store.sessions({ limit: Number.MAX_SAFE_INTEGER }).some((one) => one.parent === id);
    if (forked) return change(id, { deleted: true });
    const parent = store.session(id)?.parent ?? null;
    store.dropSession(id);
    // The last fork of a deleted session takes it along.
    if (parent !== null && store.session(parent)?.deleted) remove(parent);
  }
  return {
    create({ runtime, cwd, prompt, native }, given) {
      const now = given.now();
      const made: SessionRecord = {
        session_id: sessionId(given),
        native_id: native ?? null,
        runtime,
        cwd: realPath(cwd),
        title: titleOf(prompt),
        parent: null,
        created_at: now,
        updated_at: now,
      };
      store.putSession(made);
      return made;
    },
    fork(parent, given) {
      const from = must(parent);
      const now = given.now();
      const made = { ...from, session_id: sessionId(given), native_id: null, parent, created_at: now, updated_at: now };
      store.putSession(made);
      return made;
    },
    get: (id) => seen(store.session(id)),
    list: (filter) => store.sessions(filter).filter((one) => seen(one) !== null),
    runs,
    transcript,
    learned: (id, { native, runtime }) =>
      change(id, {
        ...(native === undefined ? {} : { native_id: native }),
        ...(runtime === undefined ? {} : { runtime }),
      }),
    set: change,
    remove,
    used: (id, at) => change(id, { updated_at: at }),
  };
}

/** What a fork tells the agent of the conversation before it; null when there is nothing to tell. */
export function recap(messages: readonly Message[]): string | null {
  if (messages.length === 0) return null;
  const said = messages.map(({ role, text }) => `<${role}>\n${text}\n</${role}>`).join('\n');
  return `This conversation goes on from an earlier one. What was said so far:\n\n${said}`;
}
