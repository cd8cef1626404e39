/** Continue's file of a session (1.5.47): messages with their usage, and the state of each tool call. */

import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import { arr, num, obj, parseJson, parseObject, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';

/** Its entries; null when the text is not such a file. */
export function historyOf(text: string | null | undefined): Json[] | null {
  return arr(parseObject(text ?? ''), 'history') ?? null;
}

const KINDS: Readonly<Record<string, ToolKind>> = { Checklist: 'todo', Diff: 'read' };

function inputOf(kind: ToolKind, native: JsonObject | undefined): JsonObject | null {
  if (native === undefined) return null;
  const { filepath, dirpath, ...rest } = native;
  return canonicalInput(kind, {
    ...rest,
    ...(filepath === undefined ? {} : { file_path: filepath }),
    ...(dirpath === undefined ? {} : { path: dirpath }),
  });
}

/** A start and an end for each call; one that was never settled is left open for the loop to close. */
function toolActions(state: Json): Action[] {
  const id = str(state, 'toolCallId') ?? '';
  const name = str(state, 'toolCall', 'function', 'name') ?? '';
  const kind = KINDS[name] ?? kindOf(name);
  const start: Action = {
    do: 'say',
    event: { type: 'tool_activity', phase: 'start', id, name, kind, input: inputOf(kind, obj(state, 'parsedArgs')) },
  };
  const status = str(state, 'status');
  if (status !== 'done' && status !== 'errored' && status !== 'canceled') return [start];
  const output = (arr(state, 'output') ?? []).flatMap((one) => str(one, 'content') ?? []).join('\n');
  const ok = status === 'done';
  const told = /^Error executing tool Bash: Error \(exit code (\d{1,3})\)/.exec(output)?.[1];
  const exitCode = kind === 'shell' && ok ? 0 : told === undefined ? undefined : Number(told);
  return [
    start,
    {
      do: 'say',
      event: {
        type: 'tool_activity',
        phase: 'end',
        id,
        ok,
        output,
        ...(status === 'canceled' ? { cancelled: true } : {}),
        ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      },
    },
  ];
}

function messageActions(entry: Json, index: number): Action[] {
  if (str(entry, 'message', 'role') !== 'assistant') return [];
  const text = str(entry, 'message', 'content') ?? '';
  const states = arr(entry, 'toolCallStates') ?? [];
  const model = str(entry, 'message', 'usage', 'model');
  const usage = obj(entry, 'message', 'usage');
  const input = num(usage, 'prompt_tokens') ?? null;
  const output = num(usage, 'completion_tokens') ?? null;
  const cached = num(usage, 'prompt_tokens_details', 'cached_tokens') ?? null;
  return [
    ...(model === undefined ? [] : [{ do: 'model' as const, id: model }]),
    ...(text === ''
      ? []
      : [{ do: 'say' as const, event: { type: 'assistant' as const, text, message_id: `message ${index}` } }]),
    ...(states.length === 0 ? [] : [{ do: 'round' as const, id: `message ${index}` }]),
    ...states.flatMap(toolActions),
    // Its own price list gives unknown models a price: no cost is reported.
    ...(usage === undefined
      ? []
      : [{ do: 'spend' as const, scope: 'delta' as const, spent: { input, output, cached, costUsd: null } }]),
  ];
}

/** What a turn added to a session. @param from entries that were there before */
export function turnActions(history: readonly Json[], from: number): Action[] {
  return history.flatMap((entry, index) => (index < from ? [] : messageActions(entry, index)));
}

/**
 * A session as a list shows it. Only the beginning of the file is read, so its fields are taken from there: the program
 * writes the id, the title and the folder before everything else.
 */
export function listed(cwd: string, text: string): { id: string; title: string | null; cwd: string } | null {
  const head =
    /^\{\s*"sessionId":\s*("[\w-]+"),\s*"title":\s*("(?:[^"\\]|\\.)*"),\s*"workspaceDirectory":\s*("(?:[^"\\]|\\.)*")/;
  const found = head.exec(text);
  const [id, title, folder] = [1, 2, 3].map((group) => parseJson(found?.[group] ?? ''));
  if (typeof id !== 'string' || folder !== cwd) return null;
  const own = typeof title === 'string' && title !== 'Untitled Session' ? title : null;
  const prompt = /"role":\s*"user",\s*"content":\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const first = parseJson(prompt ?? '');
  return { id, title: own ?? (typeof first === 'string' ? first : null), cwd };
}
