/** Cline's own tools (3.0.65): which are left out at a mode, and what their inputs and outputs say. */

import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, bool, isObject, parseObject, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';

/** Waits for a person. */
const UNFIT = ['ask_question'];

/** Everything but `read_files` and `search_codebase`; what is disabled is not offered to the model. */
const BEYOND_READING = [
  'run_commands',
  'editor',
  'apply_patch',
  'fetch_web_content',
  'web_search',
  'skills',
  'spawn_agent',
  'submit_and_exit',
  'team_attach_outcome_fragment',
  'team_await_runs',
  'team_broadcast',
  'team_cancel_run',
  'team_cleanup',
  'team_create_outcome',
  'team_finalize_outcome',
  'team_list_outcomes',
  'team_list_runs',
  'team_mission_log',
  'team_read_mailbox',
  'team_review_outcome_fragment',
  'team_run_task',
  'team_send_message',
  'team_shutdown_teammate',
  'team_spawn_teammate',
  'team_status',
  'team_task',
];

/** Whether the model gets tools that only read. */
export function onlyReads({ access, sandbox }: TurnRequest): boolean {
  return access !== 'full' || sandbox === 'read-only';
}

export function disabledTools(request: TurnRequest): string[] {
  return onlyReads(request) ? [...UNFIT, ...BEYOND_READING] : UNFIT;
}

/** Its editor makes a file or changes one, by the same name. */
export function kindFor(name: string, input: Json | undefined): ToolKind {
  if (name === 'editor') return str(input, 'old_text') === undefined ? 'write' : 'edit';
  if (name === 'fetch_web_content') return 'web';
  if (name === 'team_spawn_teammate' || name === 'team_run_task') return 'task';
  return kindOf(name);
}

/** Names of its lists of one; a list of several stays as it is, with the first one in the canonical key. */
const LISTS: Readonly<Record<string, { list: string; item: string | null; key: string }>> = {
  run_commands: { list: 'commands', item: null, key: 'command' },
  read_files: { list: 'files', item: 'path', key: 'file_path' },
  search_codebase: { list: 'queries', item: null, key: 'pattern' },
  fetch_web_content: { list: 'requests', item: 'url', key: 'url' },
};

export function inputFor(name: string, input: Json | undefined): JsonObject | null {
  const kind = kindFor(name, input);
  if (kind === 'write' && isObject(input)) {
    const { new_text: content, ...rest } = input;
    return canonicalInput(kind, content === undefined ? rest : { ...rest, content });
  }
  const shape = LISTS[name];
  const items = shape === undefined ? undefined : arr(input, shape.list);
  if (shape === undefined || items === undefined || !isObject(input)) return canonicalInput(kind, input);
  const words = items.map((one) => (typeof one === 'string' ? one : str(one, shape.item ?? '')) ?? '');
  const value = name === 'run_commands' ? words.join('\n') : (words[0] ?? '');
  if (items.length > 1) return { [shape.key]: value, ...input };
  const { [shape.list]: _list, ...rest } = input;
  return { [shape.key]: value, ...rest };
}

export interface ToolEnd {
  ok: boolean;
  output: string;
  denied: boolean;
  exitCode: number | undefined;
}

/** `output` is one record, a list of them, or an MCP answer; an `error` beside it is their JSON again. */
export function endOf(event: JsonObject): ToolEnd {
  const output = event['output'];
  const records = Array.isArray(output) ? output : output === undefined ? [] : [output];
  const words = records.flatMap((one) => wordsOf(one));
  const error = str(event, 'error');
  const failed = error !== undefined || records.some((one) => bool(one, 'success') === false);
  const text = words.length > 0 ? words.join('\n') : (str(parseObject(error ?? ''), 'error') ?? error ?? '');
  const only = records.length === 1 ? records[0] : undefined;
  const told = /^Command exited with code (\d{1,3})$/.exec(str(only, 'error') ?? '')?.[1];
  const ran = bool(only, 'success') === true && event['toolName'] === 'run_commands';
  return {
    ok: !failed,
    output: text,
    denied: /^Tool "[^"]+" requires approval\b/.test(text),
    exitCode: told === undefined ? (ran ? 0 : undefined) : Number(told),
  };
}

function wordsOf(record: Json): string[] {
  if (typeof record === 'string') return [record];
  const content = arr(record, 'content');
  if (content !== undefined) return content.flatMap((part) => str(part, 'text') ?? []);
  const text = str(record, 'result') ?? str(record, 'text') ?? str(record, 'error');
  return text === undefined ? [] : [text];
}
