/** Lines of the claude-stream dialect, made by hand, and a conversation to say them to. */

import claude from '../../runners/claude/index.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { parseObject } from '../../src/text/json.js';
import { hearAll, lines, machine, request } from './drive.js';

export const HELLO = {
  type: 'control_response',
  response: { subtype: 'success', request_id: 'turnout-hello', response: {} },
};
export const tools = [{ name: 'a', description: 'd', schema: {} }];

/** The program takes up the prompt. */
export const TAKEN = {
  type: 'user',
  isReplay: true,
  message: { role: 'user', content: [{ type: 'text', text: 'hello' }] },
};

/** A conversation whose prompt was taken. */
export function begun(changes: Partial<TurnRequest> = {}): Conversation {
  const conversation = claude.converse(request(changes), machine());
  hearAll(conversation, [{ type: 'spawned' }, ...lines(HELLO, TAKEN)]);
  return conversation;
}

export function written(actions: readonly Action[]): JsonObject[] {
  return actions.flatMap((action) => (action.do === 'write' ? [parseObject(action.line) ?? {}] : []));
}

const event = (inner: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'stream_event',
  event: inner,
  parent_tool_use_id: null,
  ...more,
});
export const start = (id: string) =>
  event({ type: 'message_start', message: { id, model: 'm', usage: { input_tokens: 5, output_tokens: 1 } } });
export const delta = (text: string) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
export const stop = (more: JsonObject = {}) => event({ type: 'message_stop' }, more);
export const call = (id: string, name: string, input: JsonObject, message = 'm1'): JsonObject => ({
  type: 'assistant',
  message: { id: message, model: 'm', content: [{ type: 'tool_use', id, name, input }] },
  parent_tool_use_id: null,
});
export const permission = (id: string, more: JsonObject): JsonObject => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', ...more },
});
export const ok = (more: JsonObject = {}): JsonObject => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  stop_reason: 'end_turn',
  ...more,
});
