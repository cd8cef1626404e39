import type { RunRecord, SessionRecord } from '../../src/runs/records.js';

export const run = (id: string, changes: Partial<RunRecord> = {}): RunRecord => ({
  run_id: id,
  session_id: 'ses_1',
  status: 'running',
  runtime: 'demo',
  model: null,
  cwd: '/project',
  access: 'scoped',
  prompt: `prompt of ${id}`,
  created_at: 1000,
  started_at: 1001,
  updated_at: 1002,
  ended_at: null,
  exit_code: null,
  stop_reason: null,
  error: null,
  text: null,
  input_tokens: null,
  output_tokens: null,
  cached_tokens: null,
  cost_usd: null,
  last_seq: 0,
  pending_steer: null,
  ended_by: null,
  principal: 'owner',
  surface: 'test',
  metadata: {},
  ...changes,
});
export const session = (id: string, changes: Partial<SessionRecord> = {}): SessionRecord => ({
  session_id: id,
  native_id: null,
  runtime: 'demo',
  cwd: '/project',
  title: 'hello',
  parent: null,
  created_at: 1,
  updated_at: 1,
  principal: 'owner',
  surface: 'test',
  metadata: {},
  ...changes,
});
export const says = (text: string) => ({ v: 1, type: 'assistant', text, message_id: 'm1' }) as const;
/** Reads without a limit that matters. */
export const ALL = { entries: 10_000, size: 100_000_000 };
export const most = (entries: number) => ({ entries, size: ALL.size });
