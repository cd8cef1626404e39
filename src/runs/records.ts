/** What is kept of a run and of a session. Times are milliseconds since 1970. */

import type { Event } from '../contract/event.js';
import type { Answers } from '../contract/question.js';
import type { AccessMode, Choice, Effort, Json } from '../contract/vocabulary.js';

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

/** What a caller may attach to a run or a session: it is kept and given back, and means nothing to us. */
export type Metadata = Readonly<Record<string, string>>;

/** Whom a record belongs to. Records that were made before this was kept belong to the owner. */
export interface Belongs {
  /** The name of the principal that asked for it. */
  principal: string;
  /** The surface it came through: `http`, `stdio`, `unix`, `mcp`, `acp`, … */
  surface: string;
  metadata: Metadata;
}

/**
 * Who or what ended a run before its time: an explicit cancel, the end of the server, a caller whose connection was lost,
 * or the sudden death of the process that ran it.
 */
export const END_CAUSES = ['user', 'shutdown', 'disconnect', 'crash'] as const;
export type EndCause = (typeof END_CAUSES)[number];

export interface RunRecord extends Belongs {
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
  /** null while it runs, and when it came to its own end. */
  ended_by: EndCause | null;
}

/** What was chosen for a session, so that it holds after a restart too; null is the runtime's own choice. */
export interface SessionChoice {
  access: AccessMode;
  model: string | null;
  effort: Effort | null;
  /** What the mode does not allow is refused without a question. */
  unasked?: true;
}

export interface SessionRecord extends Belongs {
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
  /** What was said before its first run, elsewhere: told to a runtime that does not know it. */
  opening?: readonly Said[];
  /** Runs that the session goes on without, since it was rewound: their records and logs are kept. */
  dropped?: readonly string[];
  /** Kept by surfaces with sessions that have settings of their own. */
  chosen?: SessionChoice;
  /** Its user deleted it; it is kept while a fork of it needs what was said in it. */
  deleted?: true;
  created_at: number;
  updated_at: number;
}

/** One event of a run and its number: from 1 on, without holes, and never given to another event. */
export interface LogEntry {
  seq: number;
  event: Event;
}

/** A run as it was after a change. Positions grow with every change of any run; the feed holds the last change of each. */
export interface RunChange {
  position: number;
  run: RunRecord;
}

/** What can be sent to a run. */
export type Command =
  | { type: 'cancel'; cause?: 'user' | 'disconnect' | 'shutdown' }
  | { type: 'steer'; text: string }
  /** @property request the oldest open question when absent */
  | { type: 'approve'; choice: Choice; request?: string; message?: string }
  /** @property question the oldest open one when absent */
  | { type: 'answer'; answers: Answers; question?: string }
  | { type: 'tool_result'; call: string; ok: boolean; result: Json };

/** How a command fared. */
export type Receipt =
  | {
      ok: true /** Of the guidance, the question or the call. */;
      id: string | null /** Whether anything changed. */;
      did: boolean;
    }
  | { ok: false; reason: string; message: string };

/** A command on its way to the process that works on its run. */
export interface Mail {
  /** Given by the sender: the same id is delivered once. */
  id: string;
  run_id: string;
  command: Command;
  at: number;
}

/** A key that a caller gave, so that the same request is not run twice. */
export interface IdempotencyKey {
  fingerprint: string;
  run_id: string;
  /** When it was given, or its run ended. */
  at: number;
}

/** One thing that was said. */
export interface Said {
  role: 'user' | 'assistant';
  text: string;
}

export interface Message extends Said {
  /** Empty for what was said before the first run. */
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
