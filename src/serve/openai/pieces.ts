/** The events of a turn → what an answer is made of. Pure. */

import type { ErrorEvent, Event, ToolActivityEvent, ToolCallEvent } from '../../contract/event.js';
import type { StopReason } from '../../contract/vocabulary.js';
import { addKnown } from '../../text/json.js';

/** Tokens of one answer. Null: not reported. */
export interface Used {
  input: number | null;
  output: number | null;
  cached: number | null;
}

/** How an answer ends. */
export type AnswerEnd =
  /** The agent waits for the caller's tools. */
  | { kind: 'calls'; calls: readonly ToolCallEvent[]; used: Used }
  | { kind: 'stopped'; reason: StopReason; used: Used }
  /** @property idle the agent had neither said nor done anything */
  | { kind: 'failed'; error: Pick<ErrorEvent, 'code' | 'message' | 'retry_after_ms'>; idle: boolean; used: Used };

export type Piece =
  /** @property message a new one begins where it changes */
  | { kind: 'text' | 'thinking'; text: string; message: string }
  | { kind: 'activity'; event: ToolActivityEvent }
  | { kind: 'end'; end: AnswerEnd };

export interface Translator {
  hear(event: Event): Piece[];
  /** The turn waits: nothing more comes until these calls are answered. */
  waits(calls: readonly ToolCallEvent[]): Piece;
}

/** A message that the vendor repeats: what was passed on of it is not passed on again. */
interface Repeated {
  message: string;
  /** What the first try said and the second has not said yet. */
  rest: string;
}

/** @param whole the answer is one text that is known only at the end: JSON that fits a schema */
export function translator(whole: boolean): Translator {
  let used: Used = { input: null, output: null, cached: null };
  let error: ErrorEvent | null = null;
  let idle = true;
  let said = false;
  let message: string | null = null;
  let current = '';
  let repeated: Repeated | null = null;

  /** What of a delta is new. Where the second try says something else, it is passed on from there. */
  function fresh(id: string, text: string): string {
    if (repeated?.message !== id) return text;
    const { rest } = repeated;
    if (rest.startsWith(text)) {
      repeated = { message: id, rest: rest.slice(text.length) };
      return '';
    }
    repeated = null;
    return text.startsWith(rest) ? text.slice(rest.length) : text;
  }
  function assistant(event: Event & { type: 'assistant' }): Piece[] {
    if (event.parent_tool_use_id !== undefined || event.text === '') return [];
    idle = false;
    said = true;
    if (whole) return [];
    const { message_id: id } = event;
    const pieces: Piece[] = [];
    if (event.replaces !== undefined && event.replaces === message) {
      repeated = { message: id, rest: current };
    } else if (message !== null && message !== id) {
      pieces.push({ kind: 'text', text: '\n\n', message: id });
    }
    if (message !== id) current = '';
    message = id;
    current += event.text;
    const text = fresh(id, event.text);
    return text === '' ? pieces : [...pieces, { kind: 'text', text, message: id }];
  }
  function end(reason: StopReason): Piece {
    if (error !== null && !(error.code === 'budget' && said))
      return { kind: 'end', end: { kind: 'failed', error, idle, used } };
    return { kind: 'end', end: { kind: 'stopped', reason, used } };
  }

  return {
    hear(event) {
      switch (event.type) {
        case 'assistant':
          return assistant(event);
        case 'thinking':
          if (event.parent_tool_use_id !== undefined || event.text === '' || event.replaces !== undefined) return [];
          idle = false;
          return [{ kind: 'thinking', text: event.text, message: event.message_id }];
        case 'tool_activity':
          idle = false;
          return [{ kind: 'activity', event }];
        case 'tool_call':
          idle = false;
          return [];
        case 'usage':
          used = {
            input: addKnown(used.input, event.input_tokens),
            output: addKnown(used.output, event.output_tokens),
            cached: addKnown(used.cached, event.cached_tokens),
          };
          return [];
        case 'result':
          return whole && event.output !== undefined ? [{ kind: 'text', text: event.output, message: 'output' }] : [];
        case 'error':
          if (event.code !== 'bad-frame') error = event;
          return [];
        case 'done':
          return [end(event.stop_reason)];
        case 'start':
        case 'session':
        case 'status':
        case 'tool_result':
        case 'subagent':
        case 'plan':
        case 'patch':
        case 'permission_request':
        case 'question':
          return [];
        default: {
          const never: never = event;
          return never;
        }
      }
    },
    waits: (calls) => ({ kind: 'end', end: { kind: 'calls', calls, used } }),
  };
}
