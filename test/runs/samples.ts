/** Records for tests of the store. */

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
  ...changes,
});
export const json = (text: string) => JSON.stringify({ v: 1, type: 'assistant', text, message_id: 'm1' });
