/** Agents the main agent starts: `system` lines named `task_…`, matched to the tool call that started them. */

import type { SubagentUsage } from '../../../src/contract/event.js';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Say } from '../../../src/runner/action.js';
import { bool, num, obj, str } from '../../../src/text/json.js';

type Said = Extract<Say, { type: 'subagent' }>;
type Ending = NonNullable<Said['status']>;

export interface Subagents {
  /** The tool call that starts one. */
  called(toolUseId: string, input: Json | undefined): void;
  /** The prompt of a subagent that the turn waits for: no `system` line reports such an agent (qwen 0.24). */
  prompted(line: JsonObject): Action[];
  /** A `system` line; null when it is not about subagents. */
  line(line: JsonObject): Action[] | null;
  /** The call came back: whatever was not yet reported as finished has finished. */
  returned(toolUseId: string, failed: boolean, text: string): Action[];
  /** The turn is over. */
  close(): Action[];
}

const SUMMARY = 500;

/** The beginning of a text, never ending inside a surrogate pair. */
function head(text: string): string {
  return text.length <= SUMMARY ? text : text.slice(0, SUMMARY).replace(/[\uD800-\uDBFF]$/, '');
}

function readUsage(told: Json | undefined): SubagentUsage | undefined {
  if (obj(told) === undefined) return undefined;
  const total_tokens = num(told, 'total_tokens');
  const tool_uses = num(told, 'tool_uses');
  const duration_ms = num(told, 'duration_ms');
  return {
    ...(total_tokens === undefined ? {} : { total_tokens: Math.trunc(total_tokens) }),
    ...(tool_uses === undefined ? {} : { tool_uses: Math.trunc(tool_uses) }),
    ...(duration_ms === undefined ? {} : { duration_ms: Math.round(duration_ms) }),
  };
}

function ending(word: string | undefined): Ending {
  if (word === 'completed') return 'completed';
  return word === 'stopped' || word === 'killed' ? 'stopped' : 'failed';
}

export function subagents(): Subagents {
  const calls = new Map<string, Json | undefined>();
  /** Tool call → the agent it started, while that works. */
  const working = new Map<string, { id: string; spent: SubagentUsage | undefined }>();

  const say = (event: Omit<Said, 'type'>): Action => ({ do: 'say', event: { type: 'subagent', ...event } });
  const finish = (toolUseId: string, status: Ending, text: string, spent: SubagentUsage | undefined): Action[] => {
    const agent = working.get(toolUseId);
    if (agent === undefined) return [];
    working.delete(toolUseId);
    const usage = spent ?? agent.spent;
    const more = { ...(text === '' ? {} : { summary: head(text) }), ...(usage === undefined ? {} : { usage }) };
    return [say({ phase: 'finished', id: agent.id, tool_use_id: toolUseId, status, ...more })];
  };

  return {
    called(toolUseId, input) {
      calls.set(toolUseId, input);
    },
    prompted(line) {
      const toolUseId = str(line, 'parent_tool_use_id');
      if (toolUseId === undefined || !calls.has(toolUseId) || working.has(toolUseId)) return [];
      const prompt = str(line, 'message', 'content', 0, 'text');
      const input = calls.get(toolUseId);
      if (prompt === undefined || bool(input, 'run_in_background') !== false) return [];
      const [subagent_type, description] = [str(input, 'subagent_type'), str(input, 'description')];
      working.set(toolUseId, { id: toolUseId, spent: undefined });
      const more = {
        ...(subagent_type === undefined ? {} : { subagent_type }),
        ...(description === undefined ? {} : { description }),
      };
      return [say({ phase: 'started', id: toolUseId, tool_use_id: toolUseId, ...more, prompt })];
    },
    line(whole) {
      // In qwen 0.24 the fields are one level down.
      const line = obj(whole, 'data') ?? whole;
      const toolUseId = str(line, 'tool_use_id');
      const id = str(line, 'task_id');
      // A shell command in the background is a task too, and no agent.
      if (toolUseId === undefined || id === undefined || !calls.has(toolUseId)) return null;
      const described = str(line, 'description');
      switch (str(whole, 'subtype')) {
        case 'task_started': {
          if (working.has(toolUseId)) return [];
          working.set(toolUseId, { id, spent: undefined });
          const subagent_type = str(line, 'subagent_type');
          const prompt = str(line, 'prompt');
          const more = {
            ...(subagent_type === undefined ? {} : { subagent_type }),
            ...(described === undefined ? {} : { description: described }),
            ...(prompt === undefined ? {} : { prompt }),
          };
          return [say({ phase: 'started', id, tool_use_id: toolUseId, ...more })];
        }
        case 'task_progress': {
          const agent = working.get(toolUseId);
          if (agent === undefined) return [];
          const last_tool = str(line, 'last_tool_name');
          agent.spent = readUsage(line['usage']) ?? agent.spent;
          const more = {
            ...(described === undefined ? {} : { summary: head(described) }),
            ...(agent.spent === undefined ? {} : { usage: agent.spent }),
            ...(last_tool === undefined ? {} : { last_tool }),
          };
          return [say({ phase: 'progress', id, tool_use_id: toolUseId, ...more })];
        }
        case 'task_notification':
          return finish(toolUseId, ending(str(line, 'status')), str(line, 'summary') ?? '', readUsage(line['usage']));
        default:
          return null;
      }
    },
    returned: (toolUseId, failed, text) => finish(toolUseId, failed ? 'failed' : 'completed', text, undefined),
    close: () => [...working.keys()].flatMap((toolUseId) => finish(toolUseId, 'stopped', '', undefined)),
  };
}
