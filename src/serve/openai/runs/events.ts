/** The events of a run → those of `GET /v1/runs/ID/events`. Pure: the same log gives the same frames. */

import type { Event, ThinkingEvent, ToolActivityEvent } from '../../../contract/event.js';
import type { JsonObject } from '../../../contract/vocabulary.js';
import type { RunRecord } from '../../../runs/records.js';
import { toolLabel } from '../../../view/tool-label.js';
import { type Translator, translator } from '../pieces.js';
import { approvalShown, questionShown } from './asked.js';
import { outcome, shownStatus } from './status.js';

export type RunEvent = JsonObject & { event: string };

export interface RunEvents {
  hear(event: Event): RunEvent[];
}

const seconds = (ms: number): number => Math.round(ms) / 1000;

function toolEvent(event: ToolActivityEvent, cwd: string): RunEvent {
  const tool = { tool: event.name, tool_call_id: event.id };
  if (event.phase === 'start')
    return { event: 'tool.started', ...tool, preview: toolLabel(event, cwd), args: event.input ?? {} };
  return {
    event: 'tool.completed',
    ...tool,
    duration: seconds(event.duration_ms),
    error: !event.ok,
    ...(event.denied === undefined ? {} : { denied: event.denied }),
  };
}

export function runEvents({ cwd }: Pick<RunRecord, 'cwd'>): RunEvents {
  // The same words as the other answers: subagents left out, repeated messages said once.
  const words: Translator = translator(false);
  let thought: { message: string; text: string } | null = null;

  function thoughtOver(): RunEvent[] {
    const over = thought;
    thought = null;
    return over === null ? [] : [{ event: 'reasoning.available', text: over.text }];
  }
  function thinking(event: ThinkingEvent): RunEvent[] {
    if (event.parent_tool_use_id !== undefined || event.text === '' || event.replaces !== undefined) return [];
    const before = thought?.message === event.message_id ? [] : thoughtOver();
    thought = { message: event.message_id, text: `${thought?.text ?? ''}${event.text}` };
    return [...before, { event: 'reasoning.delta', delta: event.text }];
  }
  return {
    hear(event) {
      switch (event.type) {
        case 'thinking':
          return thinking(event);
        case 'assistant': {
          const said = words
            .hear(event)
            .flatMap((piece) => (piece.kind === 'text' ? [{ event: 'message.delta', delta: piece.text }] : []));
          return said.length === 0 ? [] : [...thoughtOver(), ...said];
        }
        case 'tool_activity':
          return [...thoughtOver(), toolEvent(event, cwd)];
        case 'permission_request':
          return [...thoughtOver(), { event: 'approval.request', ...approvalShown({ cwd }, event) }];
        case 'question':
          return [...thoughtOver(), { event: 'question.request', ...questionShown(event) }];
        case 'status':
          if (event.question === undefined) return [];
          return [
            {
              event: 'question.responded',
              request_id: event.question.id,
              outcome: event.question.outcome,
              resolved: 1,
            },
          ];
        case 'subagent': {
          const { v: _v, type: _type, phase, id, tool_use_id, usage: _usage, ...more } = event;
          if (phase === 'progress') return [];
          const fields = { subagent_id: id, tool_call_id: tool_use_id, ...more };
          return [...thoughtOver(), { event: phase === 'started' ? 'subagent.start' : 'subagent.complete', ...fields }];
        }
        case 'plan':
          return [{ event: 'plan.updated', entries: event.entries.map((one) => ({ ...one })) }];
        case 'result':
        case 'error':
        case 'done':
          return thoughtOver();
        case 'start':
        case 'session':
        case 'tool_call':
        case 'tool_result':
        case 'usage':
        case 'patch':
          return [];
        default: {
          const never: never = event;
          return never;
        }
      }
    },
  };
}

/** The last event of a run. @param run as it is for ever */
export const lastEvent = (run: RunRecord): RunEvent => ({ event: `run.${shownStatus(run)}`, ...outcome(run) });
