/** Events about what an agent does: tools, subagents, plans and the change it made. */

import type { SubagentUsage } from './usage.js';
import type { JsonObject, ToolKind } from './vocabulary.js';

/** The agent calls one of the caller's tools and waits for the answer. */
export interface ToolCallEvent {
  v: 1;
  type: 'tool_call';
  /** `tc_1`, `tc_2`, … */
  id: string;
  name: string;
  args: JsonObject;
}

/** The echo of a caller tool's answer. */
export interface ToolResultEvent {
  v: 1;
  type: 'tool_result';
  id: string;
  ok: boolean;
  result: { text: string };
  /** Only this echo was cut: the agent got all of it. */
  text_truncated?: true;
}

/** A native tool begins. */
export interface ToolActivityStart {
  v: 1;
  type: 'tool_activity';
  phase: 'start';
  id: string;
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
  parent_tool_use_id: string | null;
}

/** A native tool has ended. */
export interface ToolActivityEnd {
  v: 1;
  type: 'tool_activity';
  phase: 'end';
  id: string;
  name: string;
  ok: boolean;
  output: string;
  output_truncated: boolean;
  duration_ms: number;
  denied?: boolean;
  cancelled?: boolean;
  exit_code?: number;
}

/** The agent's use of one of its own tools. */
export type ToolActivityEvent = ToolActivityStart | ToolActivityEnd;

/** An agent that the agent started: its begin, progress and end. */
export interface SubagentEvent {
  v: 1;
  type: 'subagent';
  phase: 'started' | 'progress' | 'finished';
  id: string;
  tool_use_id: string;
  subagent_type?: string;
  description?: string;
  prompt?: string;
  summary?: string;
  usage?: SubagentUsage;
  last_tool?: string;
  status?: 'completed' | 'failed' | 'stopped';
}

/** A step of the agent's plan. */
export interface PlanEntry {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** The agent's plan, whole each time. */
export interface PlanEvent {
  v: 1;
  type: 'plan';
  entries: PlanEntry[];
}

/** A file that a turn changed in its private copy. */
export interface PatchFile {
  /** Relative to the repository, `/` between names. */
  path: string;
  status: 'added' | 'modified' | 'deleted';
  /** Lines; null for a binary file. */
  added: number | null;
  removed: number | null;
  binary?: boolean;
}

/** What a turn changed in its private copy (`--isolate`). */
export interface PatchEvent {
  v: 1;
  type: 'patch';
  /** Id of the workspace, for `turnout workspace land`. */
  workspace: string;
  /** Commit that the copy began as. */
  base: string;
  files: PatchFile[];
  /** SHA-256 over the changed files, in hexadecimal digits. */
  digest: string;
  /** The patch file; absolute. */
  path: string;
  /** Set when `files` was cut to its limit; the patch is whole. */
  truncated?: true;
}
