/** What a person sees of a turn, in the order in which it began. */

import type { AskedQuestion, QuestionOutcome } from '../contract/question.js';
import type { PatchFile, PlanEntry } from '../contract/tool-event.js';
import type { Choice, Json, JsonObject, ToolKind } from '../contract/vocabulary.js';

interface Any {
  /** Unique in the turn, and the same for as long as the item lives. */
  key: string;
  /** The number of the event that it began with. */
  seq: number;
}

/** A message, or the model's reasoning, as far as it was heard. */
export interface TextItem extends Any {
  kind: 'text' | 'thinking';
  text: string;
  /** Subagents that it is inside of. */
  depth: number;
  /** A vendor's retry says it again. */
  replaced: boolean;
  cut: boolean;
}

/** Ended tools say how in a word, since colours alone say nothing to many. */
export type ToolState = 'running' | 'ok' | 'failed' | 'denied' | 'cancelled';

/** A native tool, or one of the caller's. */
export interface ToolItem extends Any {
  kind: 'tool';
  id: string;
  name: string;
  /** `caller`: the caller runs it. */
  tool: ToolKind | 'caller';
  /** One line: what it does and what it works on. */
  label: string;
  input: JsonObject | null;
  state: ToolState;
  output: string;
  cut: boolean;
  /** null while it runs, and of caller tools. */
  durationMs: number | null;
  exitCode: number | null;
  depth: number;
}

export interface QuestionItem extends Any {
  kind: 'question';
  id: string;
  tool: ToolKind;
  name: string;
  label: string;
  input: JsonObject | null;
  choices: readonly Choice[];
  /** The call that it is about, where the runtime says so. */
  toolId: string | null;
}

/** What the agent asks a person. */
export interface AskedItem extends Any {
  kind: 'asked';
  id: string;
  title: string | null;
  questions: readonly AskedQuestion[];
  url: string | null;
  /** null while it is open. */
  outcome: QuestionOutcome | null;
}

export interface PlanItem extends Any {
  kind: 'plan';
  entries: readonly PlanEntry[];
}

export interface PatchItem extends Any {
  kind: 'patch';
  workspace: string;
  files: readonly PatchFile[];
  cut: boolean;
}

export interface NoticeItem extends Any {
  kind: 'notice';
  text: string;
}

export interface AgentItem extends Any {
  kind: 'agent';
  id: string;
  title: string;
  state: 'running' | 'completed' | 'failed' | 'stopped';
  summary: string | null;
}

export interface ErrorItem extends Any {
  kind: 'error';
  code: string;
  text: string;
  hint: string | null;
}

/** Events that are no longer kept. */
export interface GapItem extends Any {
  kind: 'gap';
  from: number;
  to: number;
}

export type Item =
  | TextItem
  | ToolItem
  | QuestionItem
  | AskedItem
  | PlanItem
  | PatchItem
  | NoticeItem
  | AgentItem
  | ErrorItem
  | GapItem;

/** What the turn came to. */
export interface Ending {
  exitCode: number;
  stopReason: string;
  durationMs: number;
  structured: Json | undefined;
}
