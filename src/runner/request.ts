/** One turn as a runner sees it: flags parsed, files read, paths absolute. */

import type { Policy } from '../contract/policy.js';
import type { ToolDefinition } from '../contract/tool.js';
import type {
  AccessMode,
  Confine,
  Effort,
  Isolation,
  JsonObject,
  SandboxFallback,
  SandboxMode,
  SettingsSource,
} from '../contract/vocabulary.js';

export type { ToolDefinition } from '../contract/tool.js';

/** An MCP server to be loaded for this turn only, in the common `mcpServers` form. */
export type McpServer =
  | { name: string; type: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { name: string; type: 'http' | 'sse'; url: string; headers: Record<string, string> };

/** A picture beside the prompt. */
export interface ImageFile {
  /** Absolute; null for one that came as data, until the turn begins. */
  path: string | null;
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  data: string;
}

/** A checked turn as runners see it. */
export interface TurnRequest {
  runtime: string;
  prompt: string;
  system: string | null;
  model: string | null;
  effort: Effort | null;
  /** Absolute. */
  cwd: string;
  resume: string | null;
  access: AccessMode;
  /** Who may keep the mode; the default of this machine when absent. */
  confine?: Confine;
  /** Rules over native calls; the mode decides alone when absent. */
  policy?: Policy;
  /** Whether the API key stays with us; the program gets a token for the turn. */
  broker?: true;
  /** A private copy instead of `cwd`; none when absent. */
  isolate?: Isolation;
  /** A git repository to be copied instead of `cwd`. */
  workspace?: { git: string; ref?: string };
  sandbox: SandboxMode | null;
  sandboxFallback: SandboxFallback;
  allowBashPrefix: readonly string[];
  approvals: 'deny' | 'stdio';
  /** Who answers the agent's own questions to a person; absent: they are declined. */
  questions?: 'stdio';
  /** Whether `--tools stdio` was given; the definitions may still be empty. */
  toolsOn: boolean;
  tools: readonly ToolDefinition[];
  /** Milliseconds. */
  toolTimeoutMs: number;
  /** null: no limit was given. */
  maxTurns: number | null;
  budgetUsd: number | null;
  /** Input and output tokens of the turn, subagents included; no limit when null or absent. */
  budgetTokens?: number | null;
  /** Tool calls of the turn, native and the caller's, subagents included; no limit when null or absent. */
  maxToolCalls?: number | null;
  /** MCP servers that must be ready before the prompt is sent. */
  requireMcp?: readonly string[] | 'all';
  settings: readonly SettingsSource[];
  mcpServers: readonly McpServer[];
  outputSchema: JsonObject | null;
  /** A person typed the prompt to the program itself: it may be one of the program's own commands. */
  commands?: true;
  /** Only for runners that take them; none when absent. */
  images?: readonly ImageFile[];
}

/** Limits that Turnout itself keeps on most runtimes: they may differ from turn to turn on a living program. */
export const OUR_LIMITS = ['maxTurns', 'budgetUsd', 'budgetTokens', 'maxToolCalls'] as const;

/** Whether somebody is asked about what the mode does not allow; `none` offers nothing, and `full` allows everything. */
export function asksBeyond({ access, approvals }: Pick<TurnRequest, 'access' | 'approvals'>): boolean {
  return approvals === 'stdio' && access !== 'none' && access !== 'full';
}

/** Whether the mode alone lets files in cwd be written: then nothing there may decide what else runs unasked. */
export function writesUnasked({ access, sandbox }: Pick<TurnRequest, 'access' | 'sandbox'>): boolean {
  if (access === 'edit') return sandbox !== 'read-only';
  return access === 'scoped' && sandbox === 'workspace-write';
}
