/** What is kept of a run and of a session. Times are milliseconds since 1970. */

import type { AccessMode, Effort } from '../contract/vocabulary.js';

export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting_for_approval',
  'stopping',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
] as const;
/** queued → running ⇄ waiting_for_approval → stopping → one of the last four, which never change again. */
export type RunStatus = (typeof RUN_STATUSES)[number];

const OVER: ReadonlySet<RunStatus> = new Set(['completed', 'failed', 'cancelled', 'interrupted']);

export const isOver = (status: RunStatus): boolean => OVER.has(status);

export interface RunRecord {
  run_id: string;
  session_id: string;
  status: RunStatus;
  /** As asked for (`auto`, an alias) until the runtime's own id is known. */
  runtime: string;
  model: string | null;
  cwd: string;
  access: AccessMode;
  prompt: string;
  created_at: number;
  started_at: number | null;
  updated_at: number;
  ended_at: number | null;
  exit_code: number | null;
  stop_reason: string | null;
  error: { code: string; message: string } | null;
  /** The final answer; of a run that failed, what it had said so far. */
  text: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  cost_usd: number | null;
  /** Sequence number of the last event; 0 before the first. */
  last_seq: number;
  /** Guidance that never reached the agent. */
  pending_steer: string | null;
}

/** What was chosen for a session, so that it holds after a restart too; null is the runtime's own choice. */
export interface SessionChoice {
  access: AccessMode;
  model: string | null;
  effort: Effort | null;
}

export interface SessionRecord {
  session_id: string;
  /** The runtime's own id, once it told it. */
  native_id: string | null;
  runtime: string;
  /** Real path of the folder it was begun in. */
  cwd: string;
  /** The first line of its first prompt. */
  title: string;
  /** The session it was forked from. */
  parent: string | null;
  /** Kept by surfaces with sessions that have settings of their own. */
  chosen?: SessionChoice;
  /** Its user deleted it; it is kept while a fork of it needs what was said in it. */
  deleted?: true;
  created_at: number;
  updated_at: number;
}

/** One event of a run: its number (from 1 on, no holes) and its NDJSON line without the newline. */
export interface LogEntry {
  seq: number;
  json: string;
}

/** A key that a caller gave, so that the same request is not run twice. */
export interface IdempotencyKey {
  fingerprint: string;
  run_id: string;
  at: number;
}

export interface Message {
  role: 'user' | 'assistant';
  text: string;
  run_id: string;
  at: number;
}

export interface Hit {
  session_id: string;
  run_id: string;
  role: 'user' | 'assistant';
  /** 1-based line of the message. */
  line: number;
  text: string;
}
