/** The demo program's own stream: one JSON object a line both ways, shaped like the bidirectional streams of real agents. */

import type { Answers } from '../contract/question.js';
import type { Choice, Json, JsonObject } from '../contract/vocabulary.js';
import { readAnswers } from '../text/answers.js';
import { arr, bool, parseObject, str } from '../text/json.js';

export interface Prompt {
  type: 'prompt';
  text: string;
  system: string | null;
  model: string;
  effort: string | null;
  /** The id of a new session, or of the one to continue. */
  session: string;
  resume: boolean;
  /** Whether native tools need a permission first. */
  ask: boolean;
  /** Whether there are native tools at all. */
  native: boolean;
  /** Names of the tools that the other side runs. */
  tools: string[];
  /** The end of the turn says it again. */
  turn: string | null;
}

export type Incoming =
  | Prompt
  | { type: 'tool_answer'; key: string; ok: boolean; text: string }
  | { type: 'decision'; key: string; choice: Choice; message: string }
  | { type: 'user_answers'; key: string; answers: Answers | null }
  | { type: 'steer'; id: string; text: string }
  | { type: 'interrupt' };

export type EndReason = 'end_turn' | 'refusal' | 'max_tokens' | 'interrupted' | 'error';
export type FailureKind = 'auth' | 'quota' | 'rate_limit' | 'model_not_found' | 'session_not_found' | 'other';

export interface End {
  type: 'end';
  reason: EndReason;
  turn?: string;
  error?: { kind: FailureKind; message: string; retry_after_ms?: number };
}

export type Outgoing =
  | { type: 'session'; id: string; model: string }
  | { type: 'delta' | 'thinking'; message: string; text: string; replaces?: string; parent?: string }
  | { type: 'tool_start'; id: string; message: string; name: string; input: JsonObject; parent?: string }
  | { type: 'tool_end'; id: string; ok: boolean; output: string; exit_code?: number; denied?: true }
  | { type: 'want_tool'; key: string; message: string; name: string; args: JsonObject }
  | { type: 'question'; key: string; tool: string; name: string; input: JsonObject }
  | { type: 'ask_user'; key: string; tool: string; questions: JsonObject[]; timeout_ms?: number }
  | { type: 'plan'; entries: { content: string; status: string }[] }
  | { type: 'subagent'; phase: string; id: string; tool: string; [more: string]: Json }
  | { type: 'usage'; input: number; output: number; cached: number; cost: number }
  | { type: 'retry'; attempt: number; max: number; delay_ms: number; reason: string }
  | { type: 'steered'; id: string; taken: boolean }
  | { type: 'notice'; text: string }
  | End;

const CHOICES: Readonly<Record<string, Choice>> = {
  allow_once: 'allow_once',
  allow_session: 'allow_session',
  deny: 'deny',
};

/** @returns what the line asks for, or undefined when it is not of this dialect */
export function readIncoming(line: string): Incoming | undefined {
  const frame = parseObject(line);
  if (!frame) return undefined;
  const text = str(frame, 'text') ?? '';
  const key = str(frame, 'key') ?? '';
  switch (str(frame, 'type')) {
    case 'prompt':
      return {
        type: 'prompt',
        text,
        system: str(frame, 'system') ?? null,
        model: str(frame, 'model') ?? 'demo-1',
        effort: str(frame, 'effort') ?? null,
        session: str(frame, 'session') ?? '',
        resume: bool(frame, 'resume') ?? false,
        ask: bool(frame, 'ask') ?? true,
        native: bool(frame, 'native') ?? true,
        turn: str(frame, 'turn') ?? null,
        tools: (arr(frame, 'tools') ?? []).flatMap((tool) => str(tool, 'name') ?? []),
      };
    case 'tool_answer':
      return { type: 'tool_answer', key, ok: bool(frame, 'ok') ?? false, text };
    case 'decision':
      return {
        type: 'decision',
        key,
        choice: CHOICES[str(frame, 'choice') ?? ''] ?? 'deny',
        message: str(frame, 'message') ?? '',
      };
    case 'user_answers': {
      const answers = readAnswers(frame['answers']);
      return { type: 'user_answers', key, answers: typeof answers === 'string' ? null : answers };
    }
    case 'steer':
      return { type: 'steer', id: str(frame, 'id') ?? '', text };
    case 'interrupt':
      return { type: 'interrupt' };
    default:
      return undefined;
  }
}
