/** What was said in a session, from the records of its runs. */

import type { TurnRequest } from '../runner/request.js';
import { CoreError } from './failure.js';
import { isOver, type Message, type RunRecord, type SessionRecord } from './records.js';
import type { Store } from './store/store.js';

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

/** What was said in a run, as far as it is known. */
function messagesOf(run: RunRecord): Message[] {
  const asked: Message = { role: 'user', text: run.prompt, run_id: run.run_id, at: run.created_at };
  if (run.text === null) return [asked];
  return [asked, { role: 'assistant', text: run.text, run_id: run.run_id, at: run.ended_at ?? run.updated_at }];
}

/** @throws {CoreError} not-found */
export function needSession(store: Store, id: string): SessionRecord {
  const found = store.session(id);
  if (!found) throw new CoreError('not-found', `there is no session ${id}`);
  return found;
}

/** As `runsOf`, with those that it was rewound past. @throws {CoreError} not-found */
export function everyRunOf(store: Store, id: string): RunRecord[] {
  const { parent, created_at } = needSession(store, id);
  const before = parent === null || !store.session(parent) ? [] : everyRunOf(store, parent);
  return [...before.filter((run) => run.created_at <= created_at), ...store.runsOf(id)];
}

/** Oldest first, after those that were there when it was forked. @throws {CoreError} not-found */
export function runsOf(store: Store, id: string): RunRecord[] {
  const { dropped = [] } = needSession(store, id);
  const gone = new Set(dropped);
  return everyRunOf(store, id).filter(({ run_id }) => !gone.has(run_id));
}

/** @throws {CoreError} not-found */
export function transcriptOf(store: Store, id: string): Message[] {
  const { created_at, opening = [] } = needSession(store, id);
  const said = opening.map((one): Message => ({ ...one, run_id: '', at: created_at }));
  // What the parent learned after the fork is not part of the fork.
  const known = runsOf(store, id).flatMap((run) =>
    messagesOf(run).filter(({ at }) => run.session_id === id || at <= created_at),
  );
  return [...said, ...known];
}

/** What an agent is told of a conversation before it; null when there is nothing to tell. */
function recap(messages: readonly Pick<Message, 'role' | 'text'>[]): string | null {
  if (messages.length === 0) return null;
  const said = messages.map(({ role, text }) => `<${role}>\n${text}\n</${role}>`).join('\n');
  return `This conversation goes on from an earlier one. What was said so far:\n\n${said}`;
}

const added = (system: string | null, more: string | null): string | null =>
  more === null ? system : system === null ? more : `${system}\n\n${more}`;

/**
 * A turn as the session wants it when its turn comes: continued where the runtime knows the session, else told what was
 * said before.
 * @param sameRuntime whether two names mean the same runtime
 */
export function continued(
  store: Store,
  request: TurnRequest,
  of: { run: string; session: string },
  history: readonly Pick<Message, 'role' | 'text'>[],
  sameRuntime: (a: string, b: string) => boolean,
): TurnRequest {
  const given: TurnRequest = { ...request, system: added(request.system, recap(history)) };
  const session = store.session(of.session);
  if (!session || request.resume !== null) return given;
  const runtime = request.runtime === 'auto' ? session.runtime : request.runtime;
  if (session.native_id !== null && sameRuntime(runtime, session.runtime))
    return { ...given, runtime, resume: session.native_id };
  const over = new Set(runsOf(store, of.session).flatMap((run) => (isOver(run.status) ? [run.run_id] : [])));
  const before = transcriptOf(store, of.session).filter(
    ({ run_id }) => run_id === '' || (over.has(run_id) && run_id !== of.run),
  );
  return { ...given, runtime, system: added(given.system, recap(before)) };
}
