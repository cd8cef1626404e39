/** Records as Redis holds them. */

import type { RunRecord, SessionRecord } from '../../runs/records.js';
import { decode } from '../stored.js';

export const asRun = (record: string, seq: string | null): RunRecord => ({
  ...decode('run', record),
  last_seq: Number(seq ?? 0),
});

/** @param fields the record, and what its runtime said since: its own id, its name, the end of the last run */
export function asSession([record, native, runtime, updated]: readonly (string | null)[]): SessionRecord | null {
  if (record === null || record === undefined) return null;
  const session = decode('session', record);
  return {
    ...session,
    ...(native ? { native_id: native } : {}),
    ...(runtime ? { runtime } : {}),
    ...(updated ? { updated_at: Math.max(Number(updated), session.updated_at) } : {}),
  };
}
