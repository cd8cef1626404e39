/** A message and the events of its stream, from what the agent says. Pure. */

import type { ToolCallEvent } from '../../../contract/event.js';
import type { JsonObject, StopReason } from '../../../contract/vocabulary.js';
import { activityLine } from '../activity.js';
import type { Activity } from '../ask.js';
import { callIdOf } from '../call-id.js';
import type { AnswerEnd, Piece } from '../pieces.js';
import { TOOL_USE } from '../results.js';
import { estimate, usageAtStart, usageOf } from './tokens.js';

export interface MessageHead {
  id: string;
  model: string;
  run: string;
  /** An estimate of what was sent. */
  input: number;
  thinking: boolean;
  activity: Activity;
}

export type MessageEvent = JsonObject & { type: string };

export interface MessageWriter {
  begin(): MessageEvent[];
  piece(piece: Piece): MessageEvent[];
  /** The whole message; of use once it has ended. */
  readonly message: JsonObject;
}

/** Those of our own reasons that this API has no word for are beside it, in `turnout`. */
function stopOf(reason: StopReason): string {
  switch (reason) {
    case 'max_tokens':
    case 'max_turns':
    case 'tool_round_cap':
    case 'budget':
      return 'max_tokens';
    case 'refusal':
      return 'refusal';
    case 'end_turn':
    case 'error':
    case 'cancelled':
    case 'interrupted':
    case 'timeout':
      return 'end_turn';
    default: {
      const never: never = reason;
      return never;
    }
  }
}

interface Block {
  kind: 'text' | 'thinking';
  text: string;
}

export function messageWriter(head: MessageHead): MessageWriter {
  const { id, model, run, input, activity } = head;
  const blocks: JsonObject[] = [];
  let open: Block | null = null;
  let written = '';
  let stop: string | null = null;
  let own: JsonObject = {};
  let usage = usageAtStart(input);

  const message = (): JsonObject => ({
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [...blocks],
    stop_reason: stop,
    stop_sequence: null,
    usage,
    ...own,
  });
  function close(): MessageEvent[] {
    if (open === null) return [];
    const { kind, text } = open;
    open = null;
    const index = blocks.length;
    blocks.push(kind === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text, signature: '' });
    return [{ type: 'content_block_stop', index }];
  }
  function words(kind: Block['kind'], text: string): MessageEvent[] {
    const events = open?.kind === kind ? [] : close();
    // Messages of one turn are blocks of their own only where something stands between them.
    if (open === null) {
      open = { kind, text: '' };
      const block: JsonObject =
        kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
      events.push({ type: 'content_block_start', index: blocks.length, content_block: block });
    }
    open.text += text;
    written += text;
    const delta: JsonObject =
      kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
    return [...events, { type: 'content_block_delta', index: blocks.length, delta }];
  }
  function toolUse({ id: call, name, args }: ToolCallEvent): MessageEvent[] {
    const index = blocks.length;
    const block = {
      type: 'tool_use',
      id: callIdOf(TOOL_USE, run, call),
      name,
      input: args,
    };
    const json = JSON.stringify(args);
    blocks.push(block);
    written += `${name}${json}`;
    return [
      { type: 'content_block_start', index, content_block: { ...block, input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
      { type: 'content_block_stop', index },
    ];
  }
  function end(how: AnswerEnd): MessageEvent[] {
    if (how.kind === 'failed') return close();
    const events = close();
    if (how.kind === 'calls') events.push(...how.calls.flatMap(toolUse));
    stop = how.kind === 'calls' ? 'tool_use' : stopOf(how.reason);
    if (how.kind === 'stopped' && how.reason !== 'end_turn') own = { turnout: { stop_reason: how.reason } };
    usage = usageOf(how.used, { input, output: estimate(written) });
    const delta = { stop_reason: stop, stop_sequence: null };
    return [...events, { type: 'message_delta', delta, usage, ...own }, { type: 'message_stop' }];
  }
  return {
    begin: () => [{ type: 'message_start', message: message() }],
    piece(piece) {
      switch (piece.kind) {
        case 'text':
          // A block that begins with the gap between two messages would say nothing.
          return open?.kind !== 'text' && piece.text.trim() === '' ? [] : words('text', piece.text);
        case 'thinking':
          return head.thinking ? words('thinking', piece.text) : [];
        case 'activity': {
          const line = activity === 'reasoning' ? activityLine(piece.event) : null;
          return line === null ? [] : words('thinking', `${line}\n`);
        }
        case 'end':
          return end(piece.end);
        default: {
          const never: never = piece;
          return never;
        }
      }
    },
    get message() {
      return message();
    },
  };
}
