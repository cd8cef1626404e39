/** A native tool call as editors show it: a title, a kind, the files it touches and what it changes in them. */

import { isAbsolute, resolve } from 'node:path';
import type { Diff, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk/unstable';
import type { JsonObject, ToolKind as OurKind } from '../../contract/vocabulary.js';
import { arr, num, str } from '../../text/json.js';
import { patchDiffs } from './patch-shown.js';

export interface ShownTool {
  title: string;
  kind: ToolKind;
  content: ToolCallContent[];
  locations: ToolCallLocation[];
}

const TITLE = 200;

/** The protocol's word for what a tool does. */
export function kindFor(kind: OurKind): ToolKind {
  switch (kind) {
    case 'shell':
      return 'execute';
    case 'edit':
    case 'write':
    case 'patch':
      return 'edit';
    case 'read':
      return 'read';
    case 'search':
      return 'search';
    case 'web':
      return 'fetch';
    case 'task':
    case 'todo':
      return 'think';
    case 'mcp':
    case 'other':
      return 'other';
    default: {
      const never: never = kind;
      return never;
    }
  }
}

/** One line, not too long. */
function line(text: string): string {
  const first = text.split('\n').find((one) => one.trim() !== '') ?? '';
  const more = text.trim() !== first.trim() || first.length > TITLE;
  return `${first
    .trim()
    .slice(0, TITLE)
    .replace(/[\ud800-\udbff]$/, '')}${more ? '…' : ''}`;
}

function titleOf(name: string, kind: OurKind, input: JsonObject | null): string {
  const named = (verb: string, key: string) => {
    const value = str(input ?? {}, key);
    return value === undefined || value === '' ? undefined : `${verb}${line(value)}`;
  };
  switch (kind) {
    case 'shell':
      return named('', 'command') ?? name;
    case 'edit':
      return named('Edit ', 'file_path') ?? name;
    case 'write':
      return named('Write ', 'file_path') ?? name;
    case 'read':
      return named('Read ', 'file_path') ?? name;
    case 'search':
      return named('Search ', 'pattern') ?? named('Search ', 'path') ?? name;
    case 'web':
      return named('Fetch ', 'url') ?? named('Search the web for ', 'query') ?? name;
    case 'task':
      return named('', 'description') ?? named('', 'prompt') ?? name;
    case 'patch': {
      const files = (arr(input ?? {}, 'files') ?? []).map((one) => str(one, 'file_path')).filter((one) => one);
      return files.length === 0 ? name : `Edit ${line(files.join(', '))}`;
    }
    case 'todo':
    case 'mcp':
    case 'other':
      return named('', 'title') ?? name;
    default: {
      const never: never = kind;
      return never;
    }
  }
}

function editDiffs(path: string, input: JsonObject): Diff[] {
  const several = arr(input, 'edits') ?? [];
  return (several.length > 0 ? several : [input]).flatMap((one) => {
    const newText = str(one, 'new_string');
    if (newText === undefined) return [];
    return [{ path, oldText: str(one, 'old_string') ?? null, newText }];
  });
}

/** @param cwd what relative paths are relative to: the protocol knows absolute ones only */
export function showTool(name: string, kind: OurKind, input: JsonObject | null, cwd: string): ShownTool {
  const absolute = (path: string) => (isAbsolute(path) ? path : resolve(cwd, path));
  const file = str(input ?? {}, 'file_path');
  const shown = (diffs: readonly Diff[], lines: readonly ToolCallLocation[] = []): ShownTool => {
    const at = num(input ?? {}, 'line') ?? num(input ?? {}, 'offset');
    const own = file === undefined ? [] : [{ path: absolute(file), ...(at === undefined ? {} : { line: at }) }];
    return {
      title: titleOf(name, kind, input),
      kind: kindFor(kind),
      content: diffs.map((diff) => ({ type: 'diff', ...diff })),
      locations: [...own, ...lines],
    };
  };
  if (input === null) return shown([]);
  switch (kind) {
    case 'edit':
      return shown(file === undefined ? [] : editDiffs(absolute(file), input));
    case 'write': {
      const content = str(input, 'content');
      // Whether the file was there before is not known here.
      return shown(file === undefined || content === undefined ? [] : [{ path: absolute(file), newText: content }]);
    }
    case 'patch': {
      const { diffs, locations } = patchDiffs(arr(input, 'files') ?? [], absolute);
      return shown(diffs, locations);
    }
    case 'search': {
      const path = str(input, 'path');
      return shown([], path === undefined ? [] : [{ path: absolute(path) }]);
    }
    case 'shell':
    case 'read':
    case 'web':
    case 'mcp':
    case 'task':
    case 'todo':
    case 'other':
      return shown([]);
    default: {
      const never: never = kind;
      return never;
    }
  }
}

/** Text of a command as a block: its fence is longer than any in the text. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}console\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
