/** Sessions by names that callers made up: programs that keep ids of their own name a session before it exists. */

import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { Metadata, SessionRecord } from '../../runs/records.js';

/** The caller's name, among the metadata of a session and its runs. */
export const SESSION_NAME = 'turnout.session_name';

/** Instructions of every turn of a session. */
export const SESSION_SYSTEM = 'turnout.system_prompt';
/** Why its user is through with it. */
export const SESSION_END = 'turnout.end_reason';

const MOST = 1000;

/** @param name an id of ours, or a caller's own name @returns null when there is none yet */
export async function sessionNamed(core: Core, caller: Caller, name: string): Promise<SessionRecord | null> {
  const own = await core.sessions.get(name, caller);
  if (own) return own;
  const all = await core.sessions.list({ limit: MOST, principal: caller.principal.name }, caller);
  return all.find(({ metadata }) => metadata[SESSION_NAME] === name) ?? null;
}

/** What the caller calls a session. */
export const shownName = ({ metadata, session_id }: { metadata: Metadata; session_id: string }): string =>
  metadata[SESSION_NAME] ?? session_id;
