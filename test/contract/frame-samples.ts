/** One sample of each frame with every field set, so that the compiler holds the schema to the types. */

import type {
  CancelFrame,
  Frame,
  PermissionResultFrame,
  PromptFrame,
  QuestionResultFrame,
  SteerFrame,
  ToolResultFrame,
} from '../../src/contract/frame.js';

const toolResultFrame: Required<ToolResultFrame> = {
  v: 1,
  type: 'tool_result',
  id: 'tc_1',
  ok: true,
  result: { text: '3' },
};
const permissionResult: Required<PermissionResultFrame> = {
  v: 1,
  type: 'permission_result',
  id: 'pr_1',
  choice: 'deny',
  message: 'no',
  always: true,
};
const questionResult: Required<QuestionResultFrame> = {
  v: 1,
  type: 'question_result',
  id: 'q_1',
  answers: { colour: 'red', sizes: ['s', 'm'], name: null },
};
const steer: Required<SteerFrame> = { v: 1, type: 'steer', id: 's1', text: 'shorter, please' };
const cancel: Required<CancelFrame> = { v: 1, type: 'cancel' };

const prompt: Required<PromptFrame> = {
  v: 1,
  type: 'prompt',
  text: 'look',
  images: [{ media_type: 'image/png', data: 'iVBORw0KGgo=' }],
};

export const FRAMES = {
  tool_result: toolResultFrame,
  permission_result: permissionResult,
  question_result: questionResult,
  steer,
  cancel,
  prompt,
} satisfies Record<string, Frame | PromptFrame>;
