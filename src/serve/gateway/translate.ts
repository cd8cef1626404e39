/**
 * The events of one run → what clients of the gateway are told. Pure: the same log gives the same events, so that each
 * client can be told again, in the same order and with the same numbers, whatever happened to us in between.
 */

import type {
  ErrorEvent,
  Event,
  PermissionRequestEvent,
  ResultEvent,
  ToolActivityEvent,
} from '../../contract/event.js';
import type { QuestionEvent } from '../../contract/question.js';
import type { SubagentEvent } from '../../contract/tool-event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { oneLine } from '../../text/printable.js';
import { toolLabel } from '../../view/tool-label.js';
import { completed } from './ended.js';
import { add, type Spent, usageShown } from './usage.js';

/** Goes up whenever a log gives other events than before: places of earlier ones mean nothing then. */
export const REVISION = 1;

/** An event that has a place in the session. */
export interface Told {
  type: string;
  payload?: JsonObject;
}

export type Step =
  | { do: 'tell'; event: Told }
  /** Only of what is open still. */
  | { do: 'ask'; event: PermissionRequestEvent | QuestionEvent }
  /** The session works, or is idle again. */
  | { do: 'state'; running: boolean };

export interface Translator {
  hear(event: Event): Step[];
  /** What was said so far. */
  readonly said: string;
  readonly over: boolean;
}

export interface TurnAbout {
  run_id: string;
  prompt: string;
  cwd: string;
  model: string | null;
  /** By the turns of the session before. */
  spent: Spent;
}

const PARAGRAPH = '\n\n';

export function translator(about: TurnAbout): Translator {
  const { run_id, cwd } = about;
  const calls = new Map<string, { name: string; args: JsonObject }>();
  const said: string[] = [];
  /** What was said since the last tool. */
  let segment: string[] = [];
  const thought: string[] = [];
  let message = '';
  let between = false;
  let begun = false;
  let over = false;
  let error: ErrorEvent | null = null;
  let result: ResultEvent | null = null;

  const tell = (type: string, payload?: JsonObject): Step => ({
    do: 'tell',
    event: payload === undefined ? { type } : { type, payload },
  });

  function speech(text: string, id: string, replaces: boolean): Step[] {
    if (text === '') return [];
    if (id !== message && segment.length > 0) {
      between = true;
      if (replaces) segment = [];
    }
    message = id;
    const shown = between && said.length > 0 ? PARAGRAPH + text : text;
    between = false;
    said.push(shown);
    segment.push(segment.length === 0 ? text : shown);
    return [tell('message.delta', { text: shown })];
  }
  function interim(): Step[] {
    const text = segment.join('');
    segment = [];
    between = true;
    return text === '' ? [] : [tell('message.interim', { text, already_streamed: true })];
  }
  function activity(event: ToolActivityEvent): Step[] {
    const { id, name } = event;
    if (event.phase === 'start') {
      const args = event.input ?? {};
      const context = toolLabel(event, cwd);
      if (event.parent_tool_use_id !== null)
        return [tell('subagent.tool', { subagent_id: event.parent_tool_use_id, tool_name: name, text: context })];
      calls.set(id, { name, args });
      return [
        ...interim(),
        tell('tool.generating', { name }),
        tell('tool.start', { tool_id: id, name, context, args }),
      ];
    }
    const call = calls.get(id);
    // It belongs to a subagent.
    if (!call) return [];
    calls.delete(id);
    const { args } = call;
    const failure = event.denied ? 'BLOCKED: it was not allowed' : event.cancelled ? 'cancelled' : event.output;
    const done = {
      output: event.output,
      error: event.ok ? null : failure,
      ...(event.exit_code === undefined && !event.denied ? {} : { exit_code: event.exit_code ?? -1 }),
      ...(event.output_truncated ? { truncated: true } : {}),
    };
    return [tell('tool.complete', { tool_id: id, name, args, duration_s: event.duration_ms / 1000, result: done })];
  }
  function subagent(event: SubagentEvent): Step[] {
    const about: JsonObject = { subagent_id: event.tool_use_id };
    const { description, prompt, summary, last_tool, status } = event;
    if (event.phase === 'started')
      return [tell('subagent.start', { ...about, goal: description ?? prompt ?? '', text: prompt ?? '' })];
    if (event.phase === 'progress')
      return [tell('subagent.progress', { ...about, text: summary ?? '', tool_name: last_tool ?? null })];
    return [tell('subagent.complete', { ...about, status: status ?? 'completed', text: summary ?? '' })];
  }

  function hear(event: Event): Step[] {
    switch (event.type) {
      case 'start':
        if (begun) return [];
        begun = true;
        return [{ do: 'state', running: true }, tell('message.start', { turn_id: run_id, input: about.prompt })];
      case 'assistant':
        if (event.parent_tool_use_id !== undefined) return [];
        return speech(event.text, event.message_id, event.replaces !== undefined);
      case 'thinking':
        if (event.parent_tool_use_id !== undefined || event.text === '') return [];
        thought.push(event.text);
        return [tell('reasoning.delta', { text: event.text })];
      case 'tool_activity':
        return activity(event);
      case 'tool_call':
        calls.set(event.id, { name: event.name, args: event.args });
        return [
          ...interim(),
          tell('tool.generating', { name: event.name }),
          tell('tool.start', { tool_id: event.id, name: event.name, context: oneLine(event.name), args: event.args }),
        ];
      case 'tool_result': {
        const call = calls.get(event.id);
        calls.delete(event.id);
        const done = { output: event.result.text, error: event.ok ? null : event.result.text };
        return call ? [tell('tool.complete', { tool_id: event.id, ...call, result: done })] : [];
      }
      case 'plan':
        return [
          tell('todo.updated', {
            todos: event.entries.map(({ content, status }, index) => ({ id: String(index + 1), content, status })),
          }),
        ];
      case 'subagent':
        return subagent(event);
      case 'status':
        if (event.message === undefined) return [];
        return [tell('status.update', { kind: event.retry ? 'lifecycle' : 'status', text: event.message })];
      case 'permission_request':
      case 'question':
        return [{ do: 'ask', event }];
      case 'error':
        if (event.code === 'bad-frame') return [];
        error = event;
        return [];
      case 'result':
        result = event;
        return [];
      case 'done': {
        over = true;
        const ending = completed({
          done: event,
          error,
          result,
          segment: segment.join(''),
          reasoning: thought.join(''),
        });
        const usage = usageShown(add(about.spent, event.totals ?? null), about.model);
        return [tell('message.complete', { ...ending, usage, turn_id: run_id }), { do: 'state', running: false }];
      }
      case 'session':
      case 'usage':
      case 'patch':
        return [];
      default: {
        const never: never = event;
        throw new Error(`unknown event ${JSON.stringify(never)}`);
      }
    }
  }

  return {
    hear,
    get said() {
      return said.join('');
    },
    get over() {
      return over;
    },
  };
}
