/**
 * What a runtime that speaks this protocol itself tells, as it tells it: titles, kinds, places, diffs, plans, commands,
 * figures. Events carry less than that. Ids are set apart from those of other turns; what belongs to the connection between
 * us and the runtime (its modes, its settings, its terminals) stays there.
 */

import type { Event } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { arr, obj, parseObject, str } from '../../text/json.js';
import { nativeLines } from '../../text/native-lines.js';
import type { TapEntry } from '../../turn/world.js';

export interface Native {
  /** @returns the updates to show */
  hear(entry: TapEntry): JsonObject[];
  /** An update that was shown before, when a turn is told again. */
  again(update: JsonObject): void;
  /** Whether an event says again what an update has shown. */
  knows(event: Event): boolean;
  /** The call a question is about, as the runtime described it. */
  asked(id: string): JsonObject | undefined;
}

/** Updates that say more than our events, by what they are called. */
const SHOWN: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_call_update',
  'plan',
  'plan_update',
  'plan_removed',
  'available_commands_update',
  'usage_update',
  'session_info_update',
  'compaction_update',
  'compaction_summary_chunk',
  'notice',
]);
const CHUNKS: ReadonlySet<string> = new Set(['agent_message_chunk', 'agent_thought_chunk']);
/** Sent by some right after the session was opened, before there is a prompt. */
const EARLY: ReadonlySet<string> = new Set(['available_commands_update']);

function withoutTerminals(call: JsonObject): JsonObject {
  const content = arr(call, 'content');
  if (content === undefined) return call;
  return { ...call, content: content.filter((one) => str(one, 'type') !== 'terminal') };
}

/** @param toolId how a tool call of this turn is called for the client */
export function native(toolId: (id: string) => string): Native {
  const calls = new Map<string, 'open' | 'over'>();
  const questions = new Map<string, JsonObject>();
  let session: string | null = null;
  let planned = false;

  /** @param update with the id that the client knows */
  function again(update: JsonObject): void {
    const kind = str(update, 'sessionUpdate') ?? '';
    if (kind.startsWith('plan')) planned = true;
    const id = str(update, 'toolCallId');
    if (!kind.startsWith('tool_call') || id === undefined) return;
    const status = str(update, 'status');
    calls.set(id, status === 'completed' || status === 'failed' ? 'over' : (calls.get(id) ?? 'open'));
  }
  function call(update: JsonObject): JsonObject | null {
    const id = str(update, 'toolCallId');
    return id === undefined ? null : { ...withoutTerminals(update), toolCallId: toolId(id) };
  }
  function shown(params: JsonObject): JsonObject | null {
    const update = obj(params, 'update');
    const kind = str(update, 'sessionUpdate');
    if (update === undefined || kind === undefined) return null;
    if (session === null) return EARLY.has(kind) ? update : null;
    if (str(params, 'sessionId') !== session) return null;
    if (kind === 'tool_call' || kind === 'tool_call_update') return call(update);
    // Text comes as events, without what is no word of the model.
    if (CHUNKS.has(kind)) return str(update, 'content', 'type') === 'text' ? null : update;
    return SHOWN.has(kind) ? update : null;
  }
  function heard(message: JsonObject): JsonObject | null {
    const params = obj(message, 'params');
    if (params === undefined) return null;
    if (message['method'] === 'session/update') return shown(params);
    if (message['method'] !== 'session/request_permission') return null;
    const toolCall = obj(params, 'toolCall');
    const id = str(toolCall, 'toolCallId');
    if (toolCall !== undefined && id !== undefined) questions.set(id, withoutTerminals(toolCall));
    return null;
  }

  return {
    hear(entry) {
      if (entry.k === 'in') {
        const sent = parseObject(entry.line);
        if (sent?.['method'] === 'session/prompt') session = str(sent, 'params', 'sessionId') ?? null;
        return [];
      }
      if (entry.k !== 'out') return [];
      return nativeLines(entry.line).flatMap((line) => {
        const message = parseObject(line);
        const update = message ? heard(message) : null;
        if (update === null) return [];
        again(update);
        return [update];
      });
    },
    again,
    knows(event) {
      if (event.type === 'plan') return planned;
      if (event.type !== 'tool_activity') return false;
      const state = calls.get(toolId(event.id));
      return event.phase === 'start' ? state !== undefined : state === 'over';
    },
    asked: (id) => questions.get(id),
  };
}
