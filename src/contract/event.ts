/** The events of one turn: one JSON object a line on stdout. `schemas/event.json` says the same for other languages. */

import type {
  PatchEvent,
  PlanEvent,
  SubagentEvent,
  ToolActivityEvent,
  ToolCallEvent,
  ToolResultEvent,
} from './tool-event.js';

export type { AskedQuestion, QuestionChoice, QuestionEvent, QuestionOutcome } from './question.js';
export type {
  PatchEvent,
  PlanEntry,
  PlanEvent,
  SubagentEvent,
  ToolActivityEnd,
  ToolActivityEvent,
  ToolActivityStart,
  ToolCallEvent,
  ToolResultEvent,
} from './tool-event.js';

import type { ErrorCode, TimeoutReason } from './error.js';
import type { QuestionEvent, QuestionOutcome } from './question.js';
import type { AgentLaunches, ModelUsage, Totals } from './usage.js';
import type {
  AccessGap,
  AccessMode,
  Approvals,
  Choice,
  Confinement,
  Credential,
  Json,
  JsonObject,
  NativeSandbox,
  NoticeCode,
  SandboxMode,
  StopReason,
  ToolKind,
} from './vocabulary.js';

export type { AgentLaunches, ModelUsage, SubagentUsage, Totals } from './usage.js';

/** The first event: which runtime runs, and with which limits. */
export interface StartEvent {
  v: 1;
  type: 'start';
  runtime: string;
  runtime_version?: string | null;
  /** As requested; the runtime's own choice is not known here. */
  model?: string;
  cwd: string;
  resume?: string;
  /** Our process. */
  pid: number;
  /** The runtime's process; absent on a refusal. */
  child_pid?: number;
  /** The program was kept from an earlier turn of the session; absent when it was started for this turn. */
  warm?: true;
  access: AccessMode;
  access_gaps: AccessGap[];
  native_sandbox: NativeSandbox;
  approvals: Approvals;
  /** Whether permission questions arise in this mode, so that `--approvals stdio` has an effect. */
  asks_permission: boolean;
  settings_loaded: string[];
  credential: Credential;
  /** By what the mode is kept. */
  confinement: Confinement;
  sandbox_requested?: SandboxMode;
  /** The mode that was applied: another than the requested one after `--sandbox-fallback`. */
  sandbox_applied?: SandboxMode;
  /** Id of the private copy that the turn works in; `cwd` is inside it. */
  workspace?: string;
  streams_incrementally: boolean;
}

/** One MCP server of a turn, as the runtime reports it. */
export interface McpServerStatus {
  name: string;
  /** In the runtime's own word; `unknown` where it does not tell. */
  status: string;
  /** Why it failed, where the runtime tells. */
  reason?: string;
}

/** What `start` says of a runtime, repeated where a turn goes on with another one. */
export type NextRuntime = Pick<
  StartEvent,
  | 'runtime_version'
  | 'child_pid'
  | 'access_gaps'
  | 'native_sandbox'
  | 'approvals'
  | 'asks_permission'
  | 'settings_loaded'
  | 'credential'
  | 'streams_incrementally'
>;

interface StatusFields extends Partial<NextRuntime> {
  v: 1;
  type: 'status';
  message?: string;
  mcp_servers?: McpServerStatus[];
  retry?: { attempt: number; max: number | null; delay_ms: number | null; code: ErrorCode | null };
  steer?: { id: string; delivered: boolean };
  /** A `question` is settled. */
  question?: { id: string; outcome: QuestionOutcome };
  /** The turn goes on with the next of several runtimes; beside it stand the fields that `start` has of that one. */
  fallback?: { from: string; to: string; code: ErrorCode };
  /** Set when a field was cut to its limit. */
  message_truncated?: true;
}

/** How far the start of a turn has come. */
export interface ProgressEvent extends StatusFields {
  phase: 'initializing' | 'ready';
  code?: undefined;
}

/** An answer to a flag that was given, or what happened on the way. */
export interface NoticeEvent extends StatusFields {
  phase: 'notice';
  code: NoticeCode;
}

/** What a host may show of the progress of a turn. */
export type StatusEvent = ProgressEvent | NoticeEvent;

/** The runtime's id of the session; give it to `resume` to go on. */
export interface SessionEvent {
  v: 1;
  type: 'session';
  session_id: string;
}

/** A piece of the answer, or all of one message where the runtime does not stream. */
export interface AssistantEvent {
  v: 1;
  type: 'assistant';
  text: string;
  /** A new id is a new message. */
  message_id: string;
  /** The message whose text this one repeats after a vendor's retry. */
  replaces?: string;
  /** Set on a subagent's text. */
  parent_tool_use_id?: string;
  text_truncated?: true;
}

/** A piece of the model's reasoning, where the runtime shows it. */
export interface ThinkingEvent {
  v: 1;
  type: 'thinking';
  text: string;
  message_id: string;
  replaces?: string;
  parent_tool_use_id?: string;
  text_truncated?: true;
}

/** The agent wants to use a native tool and waits for the answer. */
export interface PermissionRequestEvent {
  v: 1;
  type: 'permission_request';
  /** `pr_1`, `pr_2`, … */
  id: string;
  tool_use_id?: string;
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
  choices: Choice[];
}

/** Tokens and cost since the last report; null where the runtime does not report it. */
export interface UsageEvent {
  v: 1;
  type: 'usage';
  /** Cached tokens included. Unknown is null, never 0. */
  input_tokens: number | null;
  /** Reasoning included. */
  output_tokens: number | null;
  cached_tokens?: number | null;
  cost_usd: number | null;
}

/** The answer of a turn that ended well, and what it used. */
export interface ResultEvent {
  v: 1;
  type: 'result';
  subtype: 'success' | 'error';
  is_error: boolean;
  stop_reason: StopReason;
  /** The last message of the main agent that has text. */
  text?: string;
  output?: string;
  text_omitted?: true;
  text_truncated?: true;
  output_truncated?: true;
  structured?: Json;
  /** Which runtime answered, where several were given. */
  runtime?: string;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  model_usage?: Record<string, ModelUsage>;
  unexpected_models?: string[];
  effort?: string;
  /** Subagents that were started; `review` counts those whose type or description names a review. */
  agent_launches?: AgentLaunches;
  /** The largest input of one model call of the main agent, cached tokens included. */
  peak_context_tokens?: number;
  /** Set when the peak passed 200,000 tokens. */
  context_warning?: true;
}

/** Lines of the runtime that could not be read. */
export interface Unread {
  count: number;
  /** How the last of them began, secrets masked. */
  last: string;
}

/** Why the turn failed; or, with `bad-frame`, what was wrong with a line of the caller. */
export interface ErrorEvent {
  v: 1;
  type: 'error';
  code: ErrorCode;
  message: string;
  /** Repeating the same call can't help. */
  fatal: boolean;
  reason?: TimeoutReason;
  hint?: string;
  retry_after_ms?: number;
  unread?: Unread;
  /** When the limit that was hit ends, as ISO 8601 in UTC. */
  resets_at?: string;
  message_truncated?: true;
}

/** The last event of every turn. */
export interface DoneEvent {
  v: 1;
  type: 'done';
  exit_code: number;
  stop_reason: StopReason;
  duration_ms: number;
  totals?: Totals;
}

/** Everything a turn can print. */
export type Event =
  | StartEvent
  | StatusEvent
  | SessionEvent
  | AssistantEvent
  | ThinkingEvent
  | ToolCallEvent
  | ToolResultEvent
  | ToolActivityEvent
  | SubagentEvent
  | PlanEvent
  | PatchEvent
  | PermissionRequestEvent
  | QuestionEvent
  | UsageEvent
  | ResultEvent
  | ErrorEvent
  | DoneEvent;

/** The `type` of an event. */
export type EventType = Event['type'];
