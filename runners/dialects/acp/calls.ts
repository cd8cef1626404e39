/** Follows native tool calls: one start with what is known by then, one end, nothing for calls of the caller's tools. */

import type { PlanEntry } from '../../../src/contract/event.js';
import type { Json, JsonObject, ToolKind } from '../../../src/contract/vocabulary.js';
import type { Question, Say } from '../../../src/runner/action.js';
import { arr, str } from '../../../src/text/json.js';
import {
  hasInput,
  inputOf,
  kindOfCall,
  type Look,
  look,
  lookAtQuestion,
  outputOf,
  shownArguments,
  shownName,
} from './look.js';
import { OWN_SERVER, type ServerTool, serverTool } from './names.js';
import type { Quirks } from './quirks.js';

export interface Calls {
  /** A `tool_call` or `tool_call_update`, in whatever order they come. */
  update(update: Json): Say[];
  /** The call a permission question is about. */
  asked(toolCall: Json): { said: Say[]; question: Question; server: ServerTool | undefined };
  /** The turn is being ended: what ends now did not end by itself, whatever it says (gemini 0.61: `completed`). */
  stopped(): void;
  /** Our answer was no: some agents say nothing more about the call (gemini 0.61). */
  denied(id: string, message: string): Say[];
}

interface Call {
  look: Look;
  state: 'waiting' | 'open' | 'ended';
  server: ServerTool | undefined;
}

function planOf(input: JsonObject | undefined): PlanEntry[] | null {
  const todos = arr(input, 'todos') ?? arr(input, 'tasks');
  if (todos === undefined) return null;
  return todos.flatMap((todo) => {
    const content = str(todo, 'content') ?? str(todo, 'title');
    const status = str(todo, 'status');
    if (content === undefined || status === 'cancelled') return [];
    return [{ content, status: status === 'completed' || status === 'in_progress' ? status : 'pending' }];
  });
}

/** @param servers names of the MCP servers the agent was given */
export function calls(quirks: Quirks, servers: readonly string[]): Calls {
  const known = new Map<string, Call>();
  let cancelled = false;

  const describe = (call: Call): { name: string; kind: ToolKind; input: JsonObject | null } => {
    const { server } = call;
    if (server !== undefined) {
      const args = call.look.rawInput ?? shownArguments(call.look);
      return { name: server.tool, kind: 'mcp', input: { server: server.server, tool: server.tool, arguments: args } };
    }
    const kind = kindOfCall(call.look);
    return { name: shownName(call.look), kind, input: inputOf(call.look, kind, quirks) };
  };
  const isOwn = (call: Call) => call.server?.server === OWN_SERVER;
  const open = (call: Call): Say[] => {
    if (call.state !== 'waiting') return [];
    call.state = 'open';
    if (isOwn(call)) return [];
    return [{ type: 'tool_activity', phase: 'start', id: call.look.id, ...describe(call) }];
  };
  const remember = (seen: Look): Call => {
    const before = known.get(seen.id);
    const server = before?.server ?? serverTool(quirks, seen, servers);
    const call: Call = { look: seen, state: before?.state ?? 'waiting', server };
    known.set(seen.id, call);
    return call;
  };
  const close = (call: Call, update: Json, ok: boolean): Say[] => {
    const said = open(call);
    call.state = 'ended';
    if (isOwn(call)) return said;
    const { output, exitCode } = outputOf(update, call.look, quirks);
    said.push({
      type: 'tool_activity',
      phase: 'end',
      id: call.look.id,
      ok: ok && !cancelled && (exitCode ?? 0) === 0,
      output,
      ...(cancelled ? { cancelled } : {}),
      ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      ...(!ok && quirks.refusedByRule?.test(output) ? { denied: true } : {}),
    });
    const entries = ok && quirks.planFromTodos ? planOf(call.look.rawInput) : null;
    if (entries !== null) said.push({ type: 'plan', entries });
    return said;
  };

  return {
    update(update) {
      const id = str(update, 'toolCallId');
      if (id === undefined) return [];
      const before = known.get(id);
      // A late "pending" of a call that is over (cline 3.0).
      if (before?.state === 'ended') return [];
      const call = remember(look(update, before?.look, quirks));
      const { status } = call.look;
      if (status === 'completed' || status === 'failed') return close(call, update, status === 'completed');
      return (status === 'in_progress' && !quirks.inputInContent) || hasInput(call.look) ? open(call) : [];
    },
    asked(toolCall) {
      const id = str(toolCall, 'toolCallId') ?? '';
      const call = remember(lookAtQuestion(toolCall, known.get(id)?.look, quirks));
      const { name, kind, input } = describe(call);
      // A question about something other than what the call does: only its own words say what.
      const beside = str(toolCall, 'kind') === 'other' && kind === 'search';
      const question: Question = { toolUseId: id, name, kind: beside ? 'other' : kind, input };
      return { said: open(call), question, server: call.server };
    },
    stopped() {
      cancelled = true;
    },
    denied(id, message) {
      const call = known.get(id);
      if (call === undefined || call.state !== 'open') return [];
      call.state = 'ended';
      if (isOwn(call)) return [];
      return [{ type: 'tool_activity', phase: 'end', id, ok: false, output: message, denied: true }];
    },
  };
}
