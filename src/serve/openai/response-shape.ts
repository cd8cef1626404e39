/** A response and the events of its stream, from what the agent says. Pure: the same log gives the same events. */

import type { ToolActivityEvent, ToolCallEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { arr } from '../../text/json.js';
import { type ApiError, ofTurn } from './failure.js';
import type { AnswerEnd, Piece, Used } from './pieces.js';
import { callItem } from './response-tools.js';

export interface ResponseHead {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
  run: string;
  runtime: string;
  /** What is repeated of the request. */
  echo: JsonObject;
  /** Its client reads numbers where numbers may stand. */
  strict: boolean;
}

/** Types are the names of server-sent events, too. */
export type ResponseEvent = JsonObject & { type: string };

export interface ResponseWriter {
  begin(): ResponseEvent[];
  piece(piece: Piece): ResponseEvent[];
  /** It was broken off. */
  fail(error: ApiError): ResponseEvent[];
  /** As it is now. */
  readonly response: JsonObject;
}

const OUTPUT = 16 * 1024;
const REFUSED = 'The agent refused to answer.';

/**
 * Null unless both counts are known. The SDKs read the details without a check, so those objects are always there; Codex
 * 0.171 takes a response for broken in which a detail is not a number, so that it gets none that is not known.
 */
function usageOf({ input, output, cached }: Used, strict: boolean): JsonObject | null {
  if (input === null || output === null) return null;
  return {
    input_tokens: input,
    input_tokens_details: strict && cached === null ? null : { cached_tokens: cached },
    output_tokens: output,
    // What was thought is part of the output; no runtime reports it by itself.
    output_tokens_details: strict ? null : { reasoning_tokens: null },
    total_tokens: input + output,
  };
}

/** A text or a summary that is being written. */
interface Open {
  kind: 'text' | 'thinking';
  message: string;
  item: string;
  index: number;
  text: string;
}

export function responseWriter(head: ResponseHead): ResponseWriter {
  const { id, run } = head;
  const items: JsonObject[] = [];
  const calls = new Map<string, { index: number; item: JsonObject }>();
  let status = 'in_progress';
  let error: JsonObject | null = null;
  let incomplete: JsonObject | null = null;
  let usage: JsonObject | null = null;
  let open: Open | null = null;
  let sequence = 0;

  const itemId = (prefix: string): string => `${prefix}_${id.replace(/^resp_/, '')}_${items.length}`;
  const event = (type: string, fields: JsonObject): ResponseEvent => ({ type, sequence_number: sequence++, ...fields });
  const response = (): JsonObject => ({
    id,
    object: 'response',
    created_at: head.created,
    status,
    error,
    incomplete_details: incomplete,
    model: head.model,
    output: items,
    usage,
    ...head.echo,
  });
  const told = (type: string): ResponseEvent => event(type, { response: JSON.parse(JSON.stringify(response())) });
  const added = (item: JsonObject): ResponseEvent[] => {
    items.push(item);
    return [event('response.output_item.added', { output_index: items.length - 1, item })];
  };
  function settle(index: number, item: JsonObject): ResponseEvent {
    items[index] = item;
    return event('response.output_item.done', { output_index: index, item });
  }

  function close(): ResponseEvent[] {
    if (open === null) return [];
    const { kind, item: item_id, index: output_index, text } = open;
    open = null;
    if (kind === 'thinking') {
      const part = { type: 'summary_text', text };
      const at = { item_id, output_index, summary_index: 0 };
      return [
        event('response.reasoning_summary_text.done', { ...at, text }),
        event('response.reasoning_summary_part.done', { ...at, part }),
        settle(output_index, { id: item_id, type: 'reasoning', status: 'completed', summary: [part] }),
      ];
    }
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    const at = { item_id, output_index, content_index: 0 };
    return [
      event('response.output_text.done', { ...at, text, logprobs: [] }),
      event('response.content_part.done', { ...at, part }),
      settle(output_index, messageItem(item_id, [part])),
    ];
  }
  const messageItem = (item: string, content: JsonObject[], state = 'completed'): JsonObject => ({
    id: item,
    type: 'message',
    status: state,
    role: 'assistant',
    content,
  });
  function begun(kind: Open['kind'], message: string): ResponseEvent[] {
    const before = close();
    const item = itemId(kind === 'text' ? 'msg' : 'rs');
    const index = items.length;
    open = { kind, message, item, index, text: '' };
    if (kind === 'thinking') {
      const at = { item_id: item, output_index: index, summary_index: 0 };
      const part = { type: 'summary_text', text: '' };
      return [
        ...before,
        ...added({ id: item, type: 'reasoning', status: 'in_progress', summary: [] }),
        event('response.reasoning_summary_part.added', { ...at, part }),
      ];
    }
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    return [
      ...before,
      ...added(messageItem(item, [], 'in_progress')),
      event('response.content_part.added', { item_id: item, output_index: index, content_index: 0, part }),
    ];
  }
  function words({ kind, text, message }: Piece & { kind: 'text' | 'thinking' }): ResponseEvent[] {
    const isNew = open?.kind !== kind || open.message !== message;
    // Messages are items of their own here: nothing stands between them.
    if (isNew && text === '\n\n') return close();
    const first = isNew ? begun(kind, message) : [];
    if (open === null) return first;
    open.text += text;
    const at = { item_id: open.item, output_index: open.index, delta: text };
    const delta =
      kind === 'text'
        ? event('response.output_text.delta', { ...at, content_index: 0, logprobs: [] })
        : event('response.reasoning_summary_text.delta', { ...at, summary_index: 0 });
    return [...first, delta];
  }
  /** What the agent does itself: an item that no client tries to execute. */
  function activity(done: ToolActivityEvent): ResponseEvent[] {
    if (done.phase === 'start') {
      const before = close();
      const item: JsonObject = {
        id: itemId('mcp'),
        type: 'mcp_call',
        status: 'in_progress',
        server_label: head.runtime,
        name: done.name,
        arguments: JSON.stringify(done.input ?? {}),
        output: null,
        error: null,
        approval_request_id: null,
      };
      calls.set(done.id, { index: items.length, item });
      const at = { item_id: item['id'] ?? '', output_index: items.length };
      return [
        ...before,
        ...added({ ...item, arguments: '' }),
        event('response.mcp_call.in_progress', at),
        event('response.mcp_call_arguments.delta', { ...at, delta: item['arguments'] ?? '' }),
        event('response.mcp_call_arguments.done', { ...at, arguments: item['arguments'] ?? '' }),
      ];
    }
    const call = calls.get(done.id);
    if (!call) return [];
    calls.delete(done.id);
    const output = done.output.slice(0, OUTPUT);
    const failure = done.ok ? null : done.denied ? 'not allowed' : output || 'failed';
    const item = {
      ...call.item,
      status: done.ok ? 'completed' : 'failed',
      output: done.ok ? output : null,
      error: failure,
    };
    const at = { item_id: call.item['id'] ?? '', output_index: call.index };
    return [event(done.ok ? 'response.mcp_call.completed' : 'response.mcp_call.failed', at), settle(call.index, item)];
  }
  function callerTool(call: ToolCallEvent): ResponseEvent[] {
    const tools = arr(head.echo, 'tools') ?? [];
    const { begun, item, event: about, key, input, name } = callItem(call, { run, id: itemId('fc'), tools });
    const at = { item_id: begun['id'] ?? '', output_index: items.length };
    return [
      ...added(begun),
      event(`${about}.delta`, { ...at, delta: input }),
      event(`${about}.done`, { ...at, ...(key === 'arguments' ? { name } : {}), [key]: input }),
      settle(items.length - 1, item),
    ];
  }
  function refusal(): ResponseEvent[] {
    const before = close();
    const part = { type: 'refusal', refusal: REFUSED };
    const item = itemId('msg');
    const at = { item_id: item, output_index: items.length, content_index: 0 };
    return [
      ...before,
      ...added(messageItem(item, [], 'in_progress')),
      event('response.content_part.added', { ...at, part: { ...part, refusal: '' } }),
      event('response.refusal.delta', { ...at, delta: REFUSED }),
      event('response.refusal.done', { ...at, refusal: REFUSED }),
      event('response.content_part.done', { ...at, part }),
      settle(items.length - 1, messageItem(item, [part])),
    ];
  }
  function fail({ code, message }: Pick<ApiError, 'code' | 'message'>): ResponseEvent[] {
    const before = close();
    status = 'failed';
    error = { code, message };
    return [...before, told('response.failed')];
  }
  function end(how: AnswerEnd): ResponseEvent[] {
    usage = usageOf(how.used, head.strict);
    if (how.kind === 'failed') {
      if (how.error.code !== 'cancelled') return fail(ofTurn(how.error, false));
      const before = close();
      status = 'cancelled';
      // The API has no event for a response that somebody cancelled.
      return [...before, told('response.failed')];
    }
    const before = how.kind === 'stopped' && how.reason === 'refusal' ? refusal() : close();
    if (how.kind === 'calls') before.push(...how.calls.flatMap(callerTool));
    const short = how.kind === 'stopped' ? INCOMPLETE[how.reason] : undefined;
    status = short === undefined ? 'completed' : 'incomplete';
    if (short !== undefined) incomplete = { reason: short };
    return [...before, told(`response.${status}`)];
  }

  return {
    begin: () => [told('response.created'), told('response.in_progress')],
    piece(piece) {
      switch (piece.kind) {
        case 'text':
        case 'thinking':
          return words(piece);
        case 'activity':
          return activity(piece.event);
        case 'end':
          return end(piece.end);
        default: {
          const never: never = piece;
          return never;
        }
      }
    },
    fail,
    get response() {
      return response();
    },
  };
}

const INCOMPLETE: Readonly<Partial<Record<string, string>>> = {
  max_tokens: 'max_output_tokens',
  max_turns: 'max_tool_calls',
  tool_round_cap: 'max_tool_calls',
  budget: 'max_tool_calls',
};
