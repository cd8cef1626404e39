/** Records and turns as text: written by members of the cluster, all of one format. */

import { CoreError } from '../runs/failure.js';
import type { LogEntry, RunRecord, SessionRecord } from '../runs/records.js';
import type { Letter, Member, StoredTurn } from './engine.js';

/** Raised when what is kept can't be read by members of another version. */
export const FORMAT = '1';

interface Kinds {
  run: RunRecord;
  session: SessionRecord;
  turn: StoredTurn;
  letter: Letter;
  member: Member;
  event: LogEntry['event'];
}

/** @throws {CoreError} store: it is not JSON */
export function decode<K extends keyof Kinds>(kind: K, text: string): Kinds[K] {
  try {
    return JSON.parse(text);
  } catch {
    throw new CoreError('store', `a ${kind} in the store of the cluster can't be read`);
  }
}
