/** One sample of each event and frame with every field set, so that the compiler holds the schemas to the types. */

import type {
  AssistantEvent,
  DoneEvent,
  ErrorEvent,
  Event,
  PatchEvent,
  PermissionRequestEvent,
  PlanEvent,
  ResultEvent,
  SessionEvent,
  StartEvent,
  StatusEvent,
  SubagentEvent,
  ThinkingEvent,
  ToolActivityEnd,
  ToolActivityStart,
  ToolCallEvent,
  ToolResultEvent,
  UsageEvent,
} from '../../src/contract/event.js';
import type { ScanEntry } from '../../src/contract/scan.js';
import { question } from './question-sample.js';

const start: Required<StartEvent> = {
  v: 1,
  type: 'start',
  runtime: 'demo',
  runtime_version: '1.2.3',
  model: 'demo-1',
  cwd: '/project',
  resume: 'abc',
  pid: 10,
  warm: true,
  child_pid: 11,
  access: 'scoped',
  access_gaps: ['shell'],
  native_sandbox: 'turnout',
  approvals: 'on',
  asks_permission: true,
  settings_loaded: ['user'],
  credential: { kind: 'api_key', source: 'DEMO_API_KEY' },
  confinement: { by: 'both', os: 'bwrap', network: 'open' },
  sandbox_requested: 'read-only',
  sandbox_applied: 'restricted',
  workspace: 'ws_0123456789abcdef',
  streams_incrementally: true,
};

const status: Required<StatusEvent> = {
  v: 1,
  type: 'status',
  phase: 'notice',
  code: 'budget-unchecked',
  message: 'one moment',
  mcp_servers: [{ name: 'files', status: 'failed', reason: 'it ended' }],
  retry: { attempt: 1, max: 3, delay_ms: 2000, code: 'rate-limited' },
  steer: { id: 's1', delivered: true },
  question: { id: 'q_1', outcome: 'timed-out' },
  fallback: { from: 'claude', to: 'demo', code: 'quota' },
  runtime_version: '1.2.3',
  child_pid: 12,
  access_gaps: ['shell'],
  native_sandbox: 'turnout',
  approvals: 'on',
  asks_permission: true,
  settings_loaded: ['user'],
  credential: { kind: 'login', source: '~/.demo' },
  streams_incrementally: true,
  message_truncated: true,
};

const session: Required<SessionEvent> = { v: 1, type: 'session', session_id: 'abc' };

const assistant: Required<AssistantEvent> = {
  v: 1,
  type: 'assistant',
  text: 'Hi',
  message_id: 'm2',
  replaces: 'm1',
  parent_tool_use_id: 't1',
  text_truncated: true,
};

const thinking: Required<ThinkingEvent> = { ...assistant, type: 'thinking' };

const toolCall: Required<ToolCallEvent> = { v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: { a: 1 } };

const toolResult: Required<ToolResultEvent> = {
  v: 1,
  type: 'tool_result',
  id: 'tc_1',
  ok: true,
  result: { text: '3' },
  text_truncated: true,
};

const activityStart: Required<ToolActivityStart> = {
  v: 1,
  type: 'tool_activity',
  phase: 'start',
  id: 't1',
  name: 'Bash',
  kind: 'shell',
  input: { command: 'ls' },
  parent_tool_use_id: null,
};

const activityEnd: Required<ToolActivityEnd> = {
  v: 1,
  type: 'tool_activity',
  phase: 'end',
  id: 't1',
  name: 'Bash',
  ok: false,
  output: '',
  output_truncated: false,
  duration_ms: 12,
  denied: true,
  cancelled: true,
  exit_code: -1,
};

const subagent: Required<SubagentEvent> = {
  v: 1,
  type: 'subagent',
  phase: 'finished',
  id: 'a1',
  tool_use_id: 't1',
  subagent_type: 'explorer',
  description: 'Look around',
  prompt: 'Find it.',
  summary: 'Found.',
  usage: { total_tokens: 10, tool_uses: 1, duration_ms: 5 },
  last_tool: 'search',
  status: 'completed',
};

const plan: Required<PlanEvent> = { v: 1, type: 'plan', entries: [{ content: 'Read', status: 'in_progress' }] };

const patch: Required<PatchEvent> = {
  v: 1,
  type: 'patch',
  workspace: 'ws_0123456789abcdef',
  base: 'e83c5163316f89bfbde7d9ab23ca2e25604af290',
  files: [{ path: 'src/a.ts', status: 'modified', added: 2, removed: 1, binary: true }],
  digest: 'a'.repeat(64),
  path: '/state/change.patch',
  truncated: true,
};

const permissionRequest: Required<PermissionRequestEvent> = {
  v: 1,
  type: 'permission_request',
  id: 'pr_1',
  tool_use_id: 't1',
  name: 'Bash',
  kind: 'shell',
  input: { command: 'make' },
  choices: ['allow_once', 'allow_session', 'deny'],
};

const usage: Required<UsageEvent> = {
  v: 1,
  type: 'usage',
  input_tokens: 100,
  output_tokens: null,
  cached_tokens: 50,
  cost_usd: 1.5e-7,
};

const result: Required<ResultEvent> = {
  v: 1,
  type: 'result',
  subtype: 'success',
  is_error: false,
  stop_reason: 'end_turn',
  text: 'Hi',
  output: '{"a":1}',
  text_omitted: true,
  text_truncated: true,
  output_truncated: true,
  runtime: 'demo',
  structured: { a: 1 },
  input_tokens: 100,
  output_tokens: 20,
  cost_usd: null,
  model_usage: { 'demo-1': { input: 50, output: 20, cache_read: 50, cache_creation: 0 } },
  unexpected_models: ['demo-2'],
  effort: 'high',
  agent_launches: { total: 2, review: 1 },
  peak_context_tokens: 220_000,
  context_warning: true,
};

const error: Required<ErrorEvent> = {
  v: 1,
  type: 'error',
  code: 'timeout',
  message: 'too late',
  fatal: false,
  reason: 'deadline',
  hint: 'turnout doctor',
  retry_after_ms: 1000,
  resets_at: '2026-11-30T12:00:00.000Z',
  unread: { count: 2, last: 'Welcome!' },
  message_truncated: true,
};

const done: Required<DoneEvent> = {
  v: 1,
  type: 'done',
  exit_code: 0,
  stop_reason: 'end_turn',
  duration_ms: 1234,
  totals: { input_tokens: 100, output_tokens: 20, cached_tokens: null, cost_usd: 0.25 },
};

/** Keys are the names of the schema's definitions. */
export const EVENTS = {
  start,
  status,
  session,
  assistant,
  thinking,
  tool_call: toolCall,
  tool_result: toolResult,
  tool_activity_start: activityStart,
  tool_activity_end: activityEnd,
  subagent,
  plan,
  patch,
  permission_request: permissionRequest,
  question,
  usage,
  result,
  error,
  done,
} satisfies Record<string, Event>;

export const SCAN_ENTRY: Required<ScanEntry> = {
  id: 'demo',
  aliases: ['demonstration'],
  builtin: true,
  installed: true,
  binary: '/usr/bin/demo',
  version: '1.2.3',
  version_source: 'package.json',
  newer_than_tested: false,
  known_bad: 'failed: text',
  tested_versions: ['1.2.3'],
  install_hint: 'npm install -g demo',
  install: { kind: 'npm', packages: ['demo'] },
  login_hint: null,
  transport: 'stream-json',
  streams_incrementally: true,
  full_access: true,
  access_modes: ['scoped', 'full'],
  access_gaps: { scoped: ['shell'] },
  confinement: { read: 'both', edit: 'os' },
  caller_tools: true,
  caller_tools_with_full_access: true,
  tool_transport: 'native',
  parallel_calls: true,
  tool_result_limit: 40_000,
  native_sandbox: 'none',
  approvals: 'n/a',
  asks_permission: ['scoped'],
  asks_questions: true,
  sandbox_modes: ['read-only'],
  sandbox_mode_reports: { 'read-only': { native_sandbox: 'read-only', approvals: 'off' } },
  tool_activity_fidelity: 'full',
  resume: true,
  effort: false,
  max_turns: false,
  reports_cost: true,
  silent_retries: false,
  untold_stop_reasons: ['max_tokens'],
  prompt_in_argv: false,
  settings_loaded: [],
  init_target: null,
  execution_supported: true,
  execution_unsupported_reason: 'none',
  notes: ['a note'],
};
