/** Reads one call out of ACP's loose updates: kind, canonical input, output. */

import type { Json, JsonObject, ToolKind } from '../../../src/contract/vocabulary.js';
import { arr, at, num, obj, parseObject, str } from '../../../src/text/json.js';
import { canonicalInput, kindOf, kindOfAcp } from '../../../src/text/tool-kinds.js';
import type { Quirks } from './quirks.js';

/** What is known of a call so far; later updates replace single fields. */
export interface Look {
  id: string;
  title: string | undefined;
  name: string | undefined;
  acpKind: string | undefined;
  status: string | undefined;
  rawInput: JsonObject | undefined;
  content: Json[] | undefined;
  path: string | undefined;
  /** What a command has printed so far, where it comes in pieces beside the protocol (codex-acp 2.6). */
  printed: string;
}

/** A title that is a tool's name and no sentence or command. */
const NAME = /^[A-Za-z][\w.-]*$/;

function nameOf(update: Json, known: Look | undefined, quirks: Quirks): string | undefined {
  const told =
    str(update, 'name') ??
    str(update, '_meta', 'claudeCode', 'toolName') ??
    str(update, '_meta', 'tool_name') ??
    known?.name;
  if (told !== undefined) return told;
  const inId = quirks.nameInId?.exec(str(update, 'toolCallId') ?? '')?.[1];
  if (inId !== undefined) return inId;
  const title = str(update, 'title');
  if (title === undefined) return undefined;
  return quirks.nameInTitle?.exec(title)?.[1] ?? (NAME.test(title) ? title : undefined);
}

/** The input as it is shown in a call's content, for agents that give none, or give it late. */
function shownInput(update: Json, known: Look | undefined, quirks: Quirks): JsonObject | undefined {
  const text = contentText(arr(update, 'content'));
  if (quirks.inputInContent) return parseObject(text);
  if (known?.rawInput !== undefined || str(update, 'kind') !== 'execute') return undefined;
  const command = quirks.shownCommand?.exec(text)?.[1];
  return command === undefined ? undefined : { command };
}

/** @param known what earlier updates of the same call said */
export function look(update: Json, known: Look | undefined, quirks: Quirks): Look {
  const rawInput = obj(update, 'rawInput') ?? shownInput(update, known, quirks);
  const fuller = rawInput !== undefined && Object.keys(rawInput).length > 0 ? rawInput : undefined;
  return {
    id: str(update, 'toolCallId') ?? known?.id ?? '',
    title: str(update, 'title') ?? known?.title,
    name: nameOf(update, known, quirks),
    acpKind: str(update, 'kind') ?? known?.acpKind,
    status: str(update, 'status') ?? known?.status,
    rawInput: fuller ?? known?.rawInput,
    content: arr(update, 'content') ?? known?.content,
    path: str(update, 'locations', 0, 'path') ?? known?.path,
    printed: (known?.printed ?? '') + (str(update, '_meta', 'terminal_output_delta', 'data') ?? ''),
  };
}

/** The name where one is known, else ACP's kind. */
export function shownName(call: Look): string {
  return call.name ?? call.acpKind ?? 'tool';
}

export function kindOfCall(call: Look): ToolKind {
  const named = call.name === undefined ? 'other' : kindOf(call.name);
  return named === 'other' ? kindOfAcp(call.acpKind) : named;
}

/** Whether the input is more than the directory that opencode 1.18 names before the model has written the rest. */
export function hasInput(call: Look): boolean {
  return Object.keys(call.rawInput ?? {}).some((key) => key !== 'cwd');
}

function diff(call: Look): JsonObject | undefined {
  return call.content?.map((item) => obj(item)).find((item) => str(item, 'type') === 'diff');
}

/** Input for agents that show only titles, diffs and places (gemini 0.61). */
function inputFromSight(call: Look, kind: ToolKind, quirks: Quirks): JsonObject | null {
  const title = call.title;
  switch (kind) {
    case 'shell':
      return quirks.titleIsCommand && title !== undefined ? { command: title } : null;
    case 'edit':
    case 'write': {
      const shown = diff(call);
      const path = str(shown, 'path') ?? call.path;
      if (path === undefined) return null;
      const text = str(shown, 'newText');
      if (text === undefined) return { file_path: path };
      if (kind === 'write') return { file_path: path, content: text };
      return { file_path: path, old_string: str(shown, 'oldText') ?? '', new_string: text };
    }
    case 'read':
      return call.path === undefined ? null : { file_path: call.path };
    case 'web':
      return title === undefined ? null : { query: title };
    default:
      return title === undefined ? null : { title };
  }
}

/** Canonical input; null when nothing is known. A file that is read or written is always named when its place was shown. */
export function inputOf(call: Look, kind: ToolKind, quirks: Quirks): JsonObject | null {
  const seen = hasInput(call) ? canonicalInput(kind, call.rawInput) : null;
  if (seen === null) return inputFromSight(call, kind, quirks);
  if (!['read', 'edit', 'write'].includes(kind) || seen['file_path'] !== undefined) return { ...seen };
  const { filepath, ...rest } = seen;
  const named: JsonObject = typeof filepath === 'string' ? { file_path: filepath } : {};
  return { ...inputFromSight(call, kind, quirks), ...named, ...rest };
}

/** A question repeats a call in fewer words: what the call itself said is kept. */
export function lookAtQuestion(toolCall: Json, known: Look | undefined, quirks: Quirks): Look {
  const asked = look(toolCall, known, quirks);
  return known !== undefined && hasInput(known) ? { ...asked, rawInput: known.rawInput } : asked;
}

/** Text of the content blocks; diffs and terminals have none. */
function contentText(content: Json[] | undefined): string {
  return (content ?? []).map((item) => str(item, 'content', 'text') ?? '').join('');
}

/** Arguments of an MCP call that are shown as text only (gemini 0.61). */
export function shownArguments(call: Look): JsonObject | null {
  return parseObject(contentText(call.content)) ?? null;
}

export function outputOf(update: Json, call: Look, quirks: Quirks): { output: string; exitCode: number | undefined } {
  const raw = at(update, 'rawOutput');
  const exitCode =
    num(raw, 'metadata', 'exit') ??
    num(raw, 'exitCode') ??
    num(raw, 'exit_code') ??
    num(update, '_meta', 'terminal_exit', 'exit_code');
  const shown = str(raw, 'output') ?? str(raw, 'error') ?? (typeof raw === 'string' ? raw : undefined);
  const text = shown !== undefined && shown !== '' ? shown : contentText(call.content) + call.printed;
  if (text === '') {
    const rest = shown ?? (raw === undefined || raw === null ? '' : JSON.stringify(raw));
    return { output: rest, exitCode };
  }
  const told =
    quirks.shownExit && kindOfCall(call) === 'shell' ? [...text.matchAll(quirks.shownExit)].at(-1) : undefined;
  return { output: text, exitCode: exitCode ?? (told === undefined ? undefined : Number(told[1])) };
}
