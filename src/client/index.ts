/** The client: every public name, one by one. docs/api.txt shows their types. */

export {
  ERROR_CODES,
  type ErrorCode,
  type TimeoutReason,
  TurnoutError,
  UsageError,
  type UsageRule,
} from '../contract/error.js';
export type {
  AgentLaunches,
  AskedQuestion,
  AssistantEvent,
  DoneEvent,
  ErrorEvent,
  Event,
  EventType,
  McpServerStatus,
  ModelUsage,
  PermissionRequestEvent,
  PlanEntry,
  PlanEvent,
  QuestionChoice,
  QuestionEvent,
  QuestionOutcome,
  ResultEvent,
  SessionEvent,
  StartEvent,
  StatusEvent,
  SubagentEvent,
  SubagentUsage,
  ThinkingEvent,
  ToolActivityEnd,
  ToolActivityEvent,
  ToolActivityStart,
  ToolCallEvent,
  ToolResultEvent,
  Totals,
  UsageEvent,
} from '../contract/event.js';
export type { Handshake } from '../contract/handshake.js';
export type { ListFailure, ModelEntry, ModelList, SessionEntry, SessionList } from '../contract/listing.js';
export type { Answers } from '../contract/question.js';
export type { BrokenRunner, Install, Scan, ScanEntry } from '../contract/scan.js';
export {
  ACCESS_MODES,
  type AccessGap,
  type AccessMode,
  type Approvals,
  CHOICES,
  type Choice,
  type Credential,
  EFFORTS,
  type Effort,
  type Json,
  type JsonObject,
  type NativeSandbox,
  SANDBOX_MODES,
  type SandboxFallback,
  type SandboxMode,
  type SettingsSource,
  type StopReason,
  TOOL_KINDS,
  type ToolKind,
  type ToolTransport,
} from '../contract/vocabulary.js';
export type { TurnOptions } from '../host/options.js';
export type { QuestionHandler } from '../host/questions.js';
export type { TurnResult } from '../host/result.js';
export { type Tool, type ToolContext, type Tools, tool } from '../host/tools.js';
export type { Decision, PermissionHandler, Turn } from '../host/turn.js';
export type { McpServerOption, PlainOptions } from '../request/options.js';
export type { AnySchema, JsonSchema, Parsed, StandardSchema } from '../request/schema.js';
export { type Client, type ConnectOptions, connect } from './connect.js';
export { connectServer, type Server, type ServerKeys, type ServerTurn } from './server.js';
export { ServerError } from './server-lines.js';
