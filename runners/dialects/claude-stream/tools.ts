/** The program's own tools: every call that is shown starts and ends; plans and agents are reported beside it. */

import type { Json, JsonObject, ToolKind } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { arr, bool, isObject, str } from '../../../src/text/json.js';
import { plan } from '../plan.js';
import { inputFor, isCallers, kindFor } from './names.js';
import type { StreamContext } from './options.js';
import type { Subagents } from './subagents.js';
import { type ToolResult, toolResults } from './tool-result.js';

interface Call {
  name: string;
  kind: ToolKind;
  input: Json | undefined;
  parent: string | null;
}

export interface Tools {
  /** The tool calls in an `assistant` line. `round` is the model message they belong to. */
  calls(line: JsonObject, round: string): Action[];
  /** The results in a `user` line. */
  results(line: JsonObject): Action[];
  /** A question about a call that may not have been reported yet. */
  asked(id: string, name: string, input: Json | undefined): Action[];
  /** The call was refused, by us or by a rule of the program. */
  refused(id: string): void;
  /** The turn is being ended: a call that fails now was ended with it, whatever it says. */
  stopped(): void;
}

export function tools(context: StreamContext, agents: Subagents): Tools {
  const { program } = context;
  const open = new Map<string, Call>();
  const refusedIds = new Set<string>();
  const steps = plan();
  let stopping = false;

  const start = (id: string, name: string, input: Json | undefined, parent: string | null): Action[] => {
    if (open.has(id)) return [];
    const kind = kindFor(program, name);
    open.set(id, { name, kind, input, parent });
    if (kind === 'task') agents.called(id, input);
    const shown = inputFor(kind, name, input);
    return [
      {
        do: 'say',
        event: { type: 'tool_activity', phase: 'start', id, name, kind, input: shown, parent_tool_use_id: parent },
      },
    ];
  };
  const end = (result: ToolResult, call: Call): Action[] => {
    const { id, failed, text, detail } = result;
    const exit_code = call.kind === 'shell' ? program.exitCode({ text, failed, detail }) : undefined;
    const denied = result.denied || refusedIds.delete(id) || (failed && program.refusedText?.test(text) === true);
    const entries = failed || call.parent !== null ? null : steps.ended(call.name, call.input, detail);
    const waits = bool(detail, 'isAsync') || program.background?.test(text);
    return [
      ...(call.kind === 'task' && !waits ? agents.returned(id, failed, text) : []),
      {
        do: 'say',
        event: {
          type: 'tool_activity',
          phase: 'end',
          id,
          ok: !failed,
          output: text,
          ...(denied ? { denied } : {}),
          ...(result.cancelled || (stopping && failed) ? { cancelled: true } : {}),
          ...(exit_code === undefined ? {} : { exit_code }),
        },
      },
      ...(entries === null ? [] : [{ do: 'say' as const, event: { type: 'plan' as const, entries } }]),
    ];
  };

  return {
    calls(line, round) {
      const parent = str(line, 'parent_tool_use_id') ?? null;
      return (arr(line, 'message', 'content') ?? []).flatMap((block) => {
        const name = str(block, 'name');
        const id = str(block, 'id');
        if (str(block, 'type') !== 'tool_use' || name === undefined || id === undefined) return [];
        if (name === program.outputTool) return [];
        const asks: Action[] = parent === null ? [{ do: 'round', id: round }] : [];
        if (isCallers(context, name)) return asks;
        return [...asks, ...start(id, name, isObject(block) ? block['input'] : undefined, parent)];
      });
    },
    results(line) {
      return toolResults(line).flatMap((result) => {
        const call = open.get(result.id);
        if (call === undefined) return [];
        open.delete(result.id);
        return end(result, call);
      });
    },
    asked: (id, name, input) => start(id, name, input, null),
    refused(id) {
      refusedIds.add(id);
    },
    stopped() {
      stopping = true;
    },
  };
}
