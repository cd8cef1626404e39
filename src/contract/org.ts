/** An org: a named series of turns of one project. What `turnout org events` prints, one object a line. */

import type { JsonObject } from './vocabulary.js';

/** What an event of an org is about. Readers ignore what they don't know. */
export type OrgEventType = 'status' | 'chat' | 'tool' | 'usage' | 'audit' | 'asset' | 'gate' | 'trace';

/** One line of an org's log. A line that was printed never changes. */
export interface OrgEvent {
  /** Begins with the run's id. The order is that of the lines, not of the ids. */
  id: string;
  /** Milliseconds since 1970; never less than in an earlier line of the run. */
  ts: number;
  org: string;
  run: string;
  type: OrgEventType;
  /** The role it is about; absent when it is about the run as a whole. */
  from?: string;
  msg?: string;
  /** A word for programs. */
  reason?: string;
  tool?: string;
  decision?: 'allow' | 'deny';
  data?: JsonObject;
}
