/** What a caller may send on stdin: one JSON object a line. `schemas/frame.json` says the same for other languages. */

import type { Answers } from './question.js';
import type { Choice, Json } from './vocabulary.js';

export interface ToolResultFrame {
  v?: 1;
  type: 'tool_result';
  id: string;
  ok: boolean;
  /** `{text}` or a bare string; any other shape is passed on as JSON text. */
  result: Json;
}

export interface PermissionResultFrame {
  v?: 1;
  type: 'permission_result';
  id: string;
  choice: Choice;
  message?: string;
  /** With `--policy`: the same question is answered so from now on, in a file of the person's own. */
  always?: boolean;
}

export interface QuestionResultFrame {
  v?: 1;
  type: 'question_result';
  id: string;
  /** What is left out or null is declined; `{}` declines everything. */
  answers: Answers;
}

export interface SteerFrame {
  v?: 1;
  type: 'steer';
  id: string;
  text: string;
}

export interface CancelFrame {
  v?: 1;
  type: 'cancel';
}

/** With `--prompt-frame`: the first frame, before any other. */
export interface PromptFrame {
  v?: 1;
  type: 'prompt';
  text: string;
  images?: { media_type?: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string }[];
}

export type Frame = ToolResultFrame | PermissionResultFrame | QuestionResultFrame | SteerFrame | CancelFrame;
