/** Events of a turn → what the client is told of it. Live and replayed turns go through the same translation. */

import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Event, SubagentEvent, ToolActivityEnd, ToolActivityStart } from '../../contract/event.js';
import { fenced, showTool } from './tool-shown.js';

/** What the client can show, as it said when it began. */
export interface Sight {
  notices: boolean;
  /** Output of commands in a terminal of its own (`_meta.terminal_output`, Zed's convention). */
  terminals: boolean;
  /** Forms for a user to fill in (`elicitation`). */
  forms: boolean;
}

export interface ShowOptions {
  sight: Sight;
  cwd: string;
  /** Ids are unique within a turn only: this sets them apart from those of other turns. */
  prefix: string;
  /** Messages that a later one repeats: left out where that is known in time. */
  replaced?: ReadonlySet<string>;
}

export interface Show {
  event(event: Event): SessionUpdate[];
  /** The id under which the client knows a tool call. */
  toolId(id: string): string;
}

const text = (value: string) => ({ type: 'text', text: value }) as const;

export function show(options: ShowOptions): Show {
  const { sight, cwd, prefix } = options;
  const kinds = new Map<string, ToolActivityStart>();
  const toolId = (id: string) => `${prefix}-${id}`;
  const messageId = (id: string) => `${prefix}-${id}`;
  const about = (parent: string | undefined | null) =>
    parent === undefined || parent === null ? {} : { _meta: { turnout: { parentToolCallId: toolId(parent) } } };

  function started(event: ToolActivityStart): SessionUpdate[] {
    kinds.set(event.id, event);
    const shown = showTool(event.name, event.kind, event.input, cwd);
    const id = toolId(event.id);
    const terminal = sight.terminals && event.kind === 'shell';
    const parent = event.parent_tool_use_id === null ? {} : { parentToolCallId: toolId(event.parent_tool_use_id) };
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: id,
        title: shown.title,
        name: event.name,
        kind: shown.kind,
        status: 'in_progress',
        content: terminal ? [{ type: 'terminal', terminalId: id }] : shown.content,
        locations: shown.locations,
        rawInput: event.input ?? {},
        _meta: {
          turnout: { kind: event.kind, ...parent },
          ...(terminal ? { terminal_info: { terminal_id: id, cwd } } : {}),
        },
      },
    ];
  }

  function ended(event: ToolActivityEnd): SessionUpdate[] {
    const id = toolId(event.id);
    const start = kinds.get(event.id);
    const terminal = sight.terminals && start?.kind === 'shell';
    const changes = start === undefined ? [] : showTool(start.name, start.kind, start.input, cwd).content;
    const { output, ok, denied, cancelled, exit_code } = event;
    const said = output === '' ? [] : [text(start?.kind === 'shell' ? fenced(output) : output)];
    const content = said.map((one) => ({ type: 'content', content: one }) as const);
    // What was changed says more than that it was changed; a failure says why nothing was.
    const shown = changes.length > 0 && ok ? {} : { content: [...(ok ? changes : []), ...content] };
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: id,
        status: ok ? 'completed' : 'failed',
        ...(terminal ? {} : shown),
        rawOutput: {
          output,
          ...(exit_code === undefined ? {} : { exit_code }),
          ...(denied ? { denied } : {}),
          ...(cancelled ? { cancelled } : {}),
          ...(event.output_truncated ? { output_truncated: true } : {}),
        },
        ...(terminal
          ? {
              _meta: {
                terminal_output: { terminal_id: id, data: output },
                terminal_exit: { terminal_id: id, exit_code: exit_code ?? null, signal: null },
              },
            }
          : {}),
      },
    ];
  }

  function subagent(event: SubagentEvent): SessionUpdate[] {
    const { v: _v, type: _type, tool_use_id, ...told } = event;
    return [
      { sessionUpdate: 'tool_call_update', toolCallId: toolId(tool_use_id), _meta: { turnout: { subagent: told } } },
    ];
  }

  return {
    toolId,
    event(event) {
      switch (event.type) {
        case 'assistant': {
          if (event.text === '' || options.replaced?.has(event.message_id)) return [];
          // A subagent's words are no part of the answer.
          const inner = event.parent_tool_use_id !== undefined;
          return [
            {
              sessionUpdate: inner ? 'agent_thought_chunk' : 'agent_message_chunk',
              content: text(event.text),
              messageId: messageId(event.message_id),
              ...about(event.parent_tool_use_id),
            },
          ];
        }
        case 'thinking':
          if (event.text === '' || options.replaced?.has(event.message_id)) return [];
          return [
            {
              sessionUpdate: 'agent_thought_chunk',
              content: text(event.text),
              messageId: messageId(`${event.message_id}.t`),
              ...about(event.parent_tool_use_id),
            },
          ];
        case 'tool_activity':
          return event.phase === 'start' ? started(event) : ended(event);
        case 'subagent':
          return subagent(event);
        case 'plan':
          return [{ sessionUpdate: 'plan', entries: event.entries.map((entry) => ({ ...entry, priority: 'medium' })) }];
        case 'status':
          if (!sight.notices || event.message === undefined || event.phase !== 'notice') return [];
          return [{ sessionUpdate: 'notice', severity: event.retry ? 'warning' : 'info', title: event.message }];
        // Its figures go into the answer to the prompt: a usage update needs the size of the context window.
        case 'patch':
        case 'result':
        case 'start':
        case 'session':
        case 'tool_call':
        case 'tool_result':
        case 'permission_request':
        case 'question':
        case 'usage':
        case 'error':
        case 'done':
          return [];
        default: {
          const never: never = event;
          throw new Error(`unknown event ${JSON.stringify(never)}`);
        }
      }
    },
  };
}
