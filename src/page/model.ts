/** What the server tells the page (src/serve/page). Times are milliseconds since 1970. */

import type { PermissionRequestEvent, QuestionEvent } from '../contract/event.js';
import type { ScanEntry } from '../contract/scan.js';
import type { AccessMode } from '../contract/vocabulary.js';

export type Status =
  | 'queued'
  | 'running'
  | 'waiting_for_approval'
  | 'stopping'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

export interface Run {
  run_id: string;
  session_id: string;
  status: Status;
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
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  cost_usd: number | null;
  last_seq: number;
}

export interface Card extends Run {
  questions: PermissionRequestEvent[];
  asked: QuestionEvent[];
}

export interface Session {
  session_id: string;
  runtime: string;
  cwd: string;
  title: string;
  created_at: number;
  updated_at: number;
}

export interface Me {
  version: string;
  cwd: string;
  access: AccessMode[];
  principal: string;
}

export type Runtime = ScanEntry & {
  /** Takes guidance in the middle of a turn. */
  steer: boolean;
};

const OVER: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'cancelled', 'interrupted']);
export const isOver = (status: Status): boolean => OVER.has(status);

const WORDS: Readonly<Record<Status, string>> = {
  queued: 'Queued',
  running: 'Running',
  waiting_for_approval: 'Waiting for you',
  stopping: 'Stopping',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
  interrupted: 'Interrupted',
};
export const statusWord = (status: Status): string => WORDS[status];
