/** What a host may ask of a turn, the same whether it runs in its process or in one of its own. */

import type { Policy } from '../contract/policy.js';
import type {
  AccessMode,
  Confine,
  Effort,
  Isolation,
  SandboxFallback,
  SandboxMode,
  SettingsSource,
} from '../contract/vocabulary.js';
import type { RemoteWorkspace } from './remote.js';
import type { AnySchema } from './schema.js';

/** An MCP server for one turn, in the common form of `mcpServers`. */
export type McpServerOption =
  | { type?: 'stdio'; command: string; args?: readonly string[]; env?: Readonly<Record<string, string>> }
  | { type?: 'http' | 'sse'; url: string; headers?: Readonly<Record<string, string>> };

/** One turn, as plain values. Times are milliseconds, 0 is no limit. What is left out has the default of `turnout agent exec`. */
export interface PlainOptions {
  /** An id from `scan()`, or `auto` for the first that is installed. */
  runtime: string;
  /** What the agent is to do. */
  prompt: string;
  /** Instructions added to the runtime's own. */
  system?: string;
  /** Passed on to the runtime as it is. */
  model?: string;
  /** How hard the model thinks. */
  effort?: Effort;
  /** Where the runtime works; the current folder when absent. */
  cwd?: string;
  /** The id of the session to continue. */
  resume?: string;
  /** Ends the turn at the first tool call past that many rounds. */
  maxTurns?: number;
  /** Limit for the whole turn. */
  timeoutMs?: number;
  /** Limit for silence while nothing is waited for. */
  idleTimeoutMs?: number;
  /** Limit for each phase before the prompt is accepted. */
  startupTimeoutMs?: number;
  /** Ends the turn once it has cost more. */
  budgetUsd?: number;
  /** Ends the turn once it has used more tokens of both directions, subagents included. */
  budgetTokens?: number;
  /** Ends the turn at the first tool call past that many, native and yours, subagents included. */
  maxToolCalls?: number;
  /** MCP servers that must be ready before the prompt is sent; `all` alone stands for each. */
  requireMcp?: readonly string[];
  /** What the runtime may do with its own tools. */
  access?: AccessMode;
  /** Who keeps the mode: the operating system where it can (`auto`), it alone (`os`), or the program alone (`none`). */
  confine?: Confine;
  /** Rules over what native tools do, the same for every runtime; the first that fits decides. */
  policy?: Policy;
  /** Holds the API key back: the program gets an address on loopback and a token that counts for this turn. */
  broker?: boolean;
  /** Lets `access: 'full'` run as root. */
  allowRoot?: boolean;
  /** Begins again when the quota of a runtime is back, if that takes no longer; milliseconds. Only before anything was done. */
  waitForQuotaMs?: number;
  /** Works in a private copy of the repository; the change comes back as a `patch` event, and nothing is landed. */
  isolate?: Isolation;
  /** A fresh copy of this git repository instead of `cwd`: an address, and a branch, tag or commit of it. */
  workspace?: RemoteWorkspace;
  /** The runtime's own confinement. */
  sandbox?: SandboxMode;
  /** What happens where the runtime lacks that sandbox mode. */
  sandboxFallback?: SandboxFallback;
  /** Shell commands that may run, by how they begin. */
  allowBashPrefix?: readonly string[];
  /** For each call of your tools. */
  toolTimeoutMs?: number;
  /** How much of the person's own configuration is loaded; nothing when absent. */
  settings?: readonly SettingsSource[];
  /** More MCP servers for this turn, by name. */
  mcpServers?: Readonly<Record<string, McpServerOption>>;
  /** What the answer must be: JSON Schema, or a Standard Schema such as Zod's. The parsed answer is `structured`. */
  outputSchema?: AnySchema;
  /** Pictures beside the prompt, by path, where the runtime takes them. */
  images?: readonly string[];
  /** Text files behind the prompt, by path. */
  files?: readonly string[];
  /** Environment of the runtime, on top of ours. */
  env?: Readonly<Record<string, string>>;
  /** A file to which everything that passes through the turn is appended, for `turnout agent replay`. */
  record?: string;
  /** How fast `runtime: 'replay:FILE'` plays. */
  speed?: 'original' | 'max';
}
