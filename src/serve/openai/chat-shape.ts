/** The objects of `POST /v1/chat/completions`. Pure. */

import type { ToolCallEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { activityLine } from './activity.js';
import type { Activity } from './ask.js';
import { callIdOf } from './call-id.js';
import { chatUsage, finishOf } from './finish.js';
import type { AnswerEnd, Piece } from './pieces.js';
import { CALL } from './results.js';

/** What is the same in all objects of one answer. */
export interface ChatHead {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
  run: string;
}

const REFUSED = 'The agent refused to answer.';

function toolCall({ id, name, args }: ToolCallEvent, run: string): JsonObject {
  return {
    id: callIdOf(CALL, run, id),
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
}

/** More than the API's own words say. */
const ownWords = (end: AnswerEnd): JsonObject =>
  end.kind === 'stopped' && end.reason !== 'end_turn' ? { turnout: { stop_reason: end.reason } } : {};

/** Gathers an answer that is sent whole. */
export interface Gathered {
  text: string;
  reasoning: string;
}

export function gather(to: Gathered, piece: Piece, activity: Activity): void {
  if (piece.kind === 'text') to.text += piece.text;
  if (piece.kind === 'thinking') to.reasoning += piece.text;
  if (piece.kind === 'activity' && activity === 'reasoning') {
    const line = activityLine(piece.event);
    if (line !== null) to.reasoning += `${to.reasoning === '' || to.reasoning.endsWith('\n') ? '' : '\n'}${line}\n`;
  }
}

/** @param end how the answer ends; one that failed is an error and has no such object */
export function completion(
  head: ChatHead,
  { text, reasoning }: Gathered,
  end: Exclude<AnswerEnd, { kind: 'failed' }>,
): JsonObject {
  const { id, created, model, run } = head;
  const refused = end.kind === 'stopped' && end.reason === 'refusal';
  const usage = chatUsage(end.used);
  const message: JsonObject = {
    role: 'assistant',
    content: refused || text === '' ? null : text,
    refusal: refused ? text || REFUSED : null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(end.kind === 'calls' ? { tool_calls: end.calls.map((call) => toolCall(call, run)) } : {}),
  };
  const finish = end.kind === 'calls' ? 'tool_calls' : finishOf(end.reason);
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
    ...ownWords(end),
  };
}

export interface Chunks {
  /** The first chunk: whose words follow. */
  begin(): JsonObject[];
  piece(piece: Exclude<Piece, { kind: 'end' }>): JsonObject[];
  end(end: Exclude<AnswerEnd, { kind: 'failed' }>): JsonObject[];
}

/** @param usage a last chunk without a choice tells it */
export function chunks(head: ChatHead, { usage, activity }: { usage: boolean; activity: Activity }): Chunks {
  const { id, created, model, run } = head;
  const base = { id, object: 'chat.completion.chunk', created, model };
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(usage ? { usage: null } : {}),
    ...more,
  });
  return {
    begin: () => [chunk({ role: 'assistant', content: '' })],
    piece(piece) {
      switch (piece.kind) {
        case 'text':
          return [chunk({ content: piece.text })];
        case 'thinking':
          return [chunk({ reasoning_content: piece.text })];
        case 'activity': {
          if (activity === 'delta') return [chunk({}, null, { turnout: { event: { ...piece.event } } })];
          const line = activity === 'reasoning' ? activityLine(piece.event) : null;
          return line === null ? [] : [chunk({ reasoning_content: `${line}\n` })];
        }
        default: {
          const never: never = piece;
          return never;
        }
      }
    },
    end(end) {
      const last = usage ? [{ ...base, choices: [], usage: chatUsage(end.used) ?? null }] : [];
      if (end.kind === 'stopped') {
        const refused = end.reason === 'refusal' ? [chunk({ refusal: REFUSED })] : [];
        return [...refused, chunk({}, finishOf(end.reason), ownWords(end)), ...last];
      }
      const calls = end.calls.map((call, index) => ({ index, ...toolCall(call, run) }));
      return [chunk({ tool_calls: calls }), chunk({}, 'tool_calls'), ...last];
    },
  };
}
