/** Sessions by what clients call them. */

import type { SessionRecord } from '../../runs/records.js';
import type { Asking } from './method.js';
import { CODE, RpcError } from './rpc.js';

/** @throws {RpcError} 4001 */
export async function needSession({ gateway, caller }: Asking, id: string | undefined): Promise<SessionRecord> {
  const found = id === undefined ? null : await gateway.core.sessions.get(id, caller);
  if (!found) throw new RpcError(CODE.noLiveSession, 'session not found');
  return found;
}

/** By its id, or its exact title. @throws {RpcError} 4006, 4007 */
export async function storedSession(asking: Asking, id: string | undefined): Promise<SessionRecord> {
  if (id === undefined || id === '') throw new RpcError(CODE.sessionRequired, 'session_id required');
  const { core } = asking.gateway;
  const found = (await core.sessions.get(id, asking.caller)) ?? (await titled(asking, id));
  if (!found) throw new RpcError(CODE.noStoredSession, 'session not found');
  return found;
}

export async function titled({ gateway, caller }: Asking, title: string): Promise<SessionRecord | null> {
  if (title === '') return null;
  const all = await gateway.core.sessions.list({ limit: Number.MAX_SAFE_INTEGER }, caller);
  return all.find((one) => one.title === title) ?? null;
}

/** Titles name sessions, so no two have the same. */
export async function freeTitle(asking: Asking, wanted: string): Promise<string> {
  const all = await asking.gateway.core.sessions.list({ limit: Number.MAX_SAFE_INTEGER }, asking.caller);
  const taken = new Set(all.map(({ title }) => title));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted} #${number}`)) return `${wanted} #${number}`;
}
