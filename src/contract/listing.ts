/** What `turnout agent models --json` and `agent sessions --json` print. */

import type { ErrorCode } from './error.js';
import type { Effort, NativeSandbox, SandboxMode } from './vocabulary.js';

/** A model that a runtime offers. */
export interface ModelEntry {
  /** The value for `--model`. */
  id: string;
  /** The model that an alias stands for now. */
  resolved_id?: string;
  label?: string;
  description?: string;
  default?: boolean;
  effort_levels?: Effort[];
  /** On the first entry of a model that has several ids: all of them, its own first. */
  aliases?: string[];
  /** On the others: the id of the first. */
  alias_of?: string;
}

/** A session that a runtime can resume. */
export interface SessionEntry {
  /** The value for `--resume`. */
  id: string;
  title: string | null;
  /** When it was last used, as ISO 8601 in UTC. */
  time: string | null;
  cwd: string | null;
}

/** Why one runtime has no list. */
export interface ListFailure {
  code: 'unknown-runtime' | 'missing-binary' | 'list-failed';
  message: string;
  hint?: string;
}

/** What `turnout agent models --json` prints. */
export interface ModelList {
  v: 1;
  runtime: string;
  /** Whether the runtime has a way to list them. */
  supported: boolean;
  models: ModelEntry[];
  error?: ListFailure;
}

/** What `turnout agent sessions --json` prints. */
export interface SessionList {
  v: 1;
  runtime: string;
  supported: boolean;
  cwd: string;
  /** The newest first. */
  sessions: SessionEntry[];
  error?: ListFailure;
}

export interface QuotaWindow {
  /** In the runtime's terms, for people: "5 hours", "7 days". */
  name: string;
  /** 0 to 100 (more where the runtime counts on); null when it is not told. */
  used_percent: number | null;
  /** ISO 8601 in UTC; null when it is not told. */
  resets_at: string | null;
}

/** What `turnout agent quota --json` prints: what the program itself reports about its plan. */
export interface QuotaReport {
  v: 1;
  runtime: string;
  /** Whether the runtime has a way to tell, without spending tokens. */
  supported: boolean;
  /** In the runtime's own word; null when it is not told, or there is none (an API key). */
  plan: string | null;
  windows: QuotaWindow[];
  error?: ListFailure;
}

export const TEST_STATUSES = [
  'ok',
  'ok_unexpected',
  'auth',
  'quota',
  'rate_limited',
  'model_unavailable',
  'missing_binary',
  'timeout',
  'error',
] as const;

/** What `turnout agent test --json` prints: whether a runtime answers at all. */
export interface TestReport {
  v: 1;
  runtime: string;
  model: string | null;
  status: (typeof TEST_STATUSES)[number];
  reply: string | null;
  /** Until the first word or thought. */
  latency_first_ms: number | null;
  latency_ms: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  /** We do not estimate: always false. */
  cost_estimated: boolean;
  runtime_version: string | null;
  native_sandbox: NativeSandbox | null;
  sandbox_applied: SandboxMode | null;
  error: { code: ErrorCode; message: string; login_hint?: string } | null;
}
