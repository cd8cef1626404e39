/** What a run's events add up to: text, figures, open questions and calls. */

import type { Event, PermissionRequestEvent, QuestionEvent, ToolCallEvent, Totals } from '../contract/event.js';
import { LIMITS } from '../contract/limits.js';
import { addKnown } from '../text/json.js';
import { cutUtf8 } from '../text/truncate.js';
import type { RunRecord } from './records.js';

export interface Tally {
  hear(event: Event): void;
  /** Open permission questions, oldest first. */
  readonly questions: Map<string, PermissionRequestEvent>;
  /** Questions of the agent that are open, oldest first. */
  readonly asked: Map<string, QuestionEvent>;
  /** Caller tools that wait for their result. */
  readonly calls: Map<string, ToolCallEvent>;
  /** Ids of guidance that was neither taken nor refused yet, with its text; in the order it came. */
  readonly steers: Map<string, string>;
  /** Guidance that the agent will not see. */
  readonly undelivered: string[];
  /** What was reported as used so far, whatever the end says; null when nothing was. */
  readonly used: Totals | null;
  readonly record: Pick<
    RunRecord,
    'error' | 'text' | 'exit_code' | 'stop_reason' | 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cost_usd'
  >;
}

export function tally(): Tally {
  const questions = new Map<string, PermissionRequestEvent>();
  const asked = new Map<string, QuestionEvent>();
  const calls = new Map<string, ToolCallEvent>();
  const steers = new Map<string, string>();
  const undelivered: string[] = [];
  const record: Tally['record'] = {
    error: null,
    text: null,
    exit_code: null,
    stop_reason: null,
    input_tokens: null,
    output_tokens: null,
    cached_tokens: null,
    cost_usd: null,
  };
  /** The message that is being said: what is kept when no `result` comes. */
  let message = '';
  let pieces: string[] = [];
  let size = 0;
  let used: Totals | null = null;
  const said = () => (size === 0 ? null : cutUtf8(pieces.join(''), LIMITS.resultText).text);

  function steered(id: string, delivered: boolean): void {
    const text = steers.get(id);
    steers.delete(id);
    if (!delivered && text !== undefined) undelivered.push(text);
  }

  return {
    questions,
    asked,
    calls,
    steers,
    undelivered,
    record,
    get used() {
      return used;
    },
    hear(event) {
      switch (event.type) {
        case 'assistant':
          if (event.parent_tool_use_id !== undefined || event.text === '') return;
          if (event.message_id !== message) {
            message = event.message_id;
            pieces = [];
            size = 0;
          }
          if (size < LIMITS.resultText) pieces.push(event.text);
          size += event.text.length;
          return;
        case 'tool_call':
          calls.set(event.id, event);
          return;
        case 'tool_result':
          calls.delete(event.id);
          return;
        case 'permission_request':
          questions.set(event.id, event);
          return;
        case 'question':
          asked.set(event.id, event);
          return;
        case 'tool_activity':
          if (event.phase === 'start') return;
          // A question that was withdrawn or ran out of time ends with its call.
          for (const [id, question] of questions) if (question.tool_use_id === event.id) questions.delete(id);
          return;
        case 'status':
          if (event.question) asked.delete(event.question.id);
          if (event.steer) steered(event.steer.id, event.steer.delivered);
          return;
        case 'result':
          record.text = event.text ?? said();
          return;
        case 'error':
          if (event.code !== 'bad-frame') record.error = { code: event.code, message: event.message };
          return;
        case 'done':
          record.text ??= said();
          record.exit_code = event.exit_code;
          record.stop_reason = event.stop_reason;
          record.input_tokens = event.totals?.input_tokens ?? null;
          record.output_tokens = event.totals?.output_tokens ?? null;
          record.cached_tokens = event.totals?.cached_tokens ?? null;
          record.cost_usd = event.totals?.cost_usd ?? null;
          undelivered.push(...steers.values());
          steers.clear();
          questions.clear();
          asked.clear();
          calls.clear();
          return;
        case 'start':
        case 'session':
        case 'thinking':
        case 'subagent':
        case 'plan':
        case 'patch':
          return;
        case 'usage':
          used = {
            input_tokens: addKnown(used?.input_tokens, event.input_tokens),
            output_tokens: addKnown(used?.output_tokens, event.output_tokens),
            cached_tokens: addKnown(used?.cached_tokens, event.cached_tokens),
            cost_usd: addKnown(used?.cost_usd, event.cost_usd),
          };
          return;
        default: {
          const never: never = event;
          throw new Error(`unknown event ${JSON.stringify(never)}`);
        }
      }
    },
  };
}
