/** Droid's tools in canonical form (0.225.2: Read, LS, Execute, Edit, Grep, Glob, Create, TodoWrite, Task, MCP tools…). */

import type { PlanEntry } from '../../src/contract/event.js';
import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import { arr, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';
import { BRIDGE } from './session.js';

export interface NativeTool {
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
}

/** Whether a tool is one of the caller's. */
export function isOurs(name: string): boolean {
  return name.startsWith(`${BRIDGE}___`);
}

/** The server an MCP tool belongs to; null for other tools. */
export function serverOf(name: string): string | null {
  return /^(.+?)___/.exec(name)?.[1] ?? null;
}

export function nativeTool(name: string, args: JsonObject): NativeTool {
  const server = serverOf(name);
  if (server !== null) {
    return { name, kind: 'mcp', input: { server, tool: name.slice(server.length + 3), arguments: args } };
  }
  const kind = kindOf(name);
  if (kind !== 'shell') return { name, kind, input: canonicalInput(kind, args) };
  // What the model says about the risk of its own command is not part of the command.
  const { riskLevel: _, riskLevelReason: __, summary, ...rest } = args;
  return {
    name,
    kind,
    input: canonicalInput(kind, { ...rest, ...(summary === undefined ? {} : { description: summary }) }),
  };
}

/** Text of a tool's result. */
export function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return (arr(content) ?? []).map((part) => str(part, 'text') ?? JSON.stringify(part)).join('\n');
}

export function exitCode(text: string): number | undefined {
  const code = /\[Process exited with code (-?\d+)\]\s*$/.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}

const STATUS: Readonly<Record<string, PlanEntry['status']>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
};

/** The list of a TodoWrite: lines like `1. [in_progress] Look`, or objects. */
export function planOf(args: JsonObject): PlanEntry[] {
  const todos = args['todos'];
  const one = (content: string, status: string): PlanEntry => ({ content, status: STATUS[status] ?? 'pending' });
  if (typeof todos === 'string') {
    return todos.split('\n').flatMap((line) => {
      const [, status = '', content = ''] = /^\s*(?:\d+[.)]|-)?\s*\[(\w+)\]\s*(.+)$/.exec(line) ?? [];
      return content === '' ? [] : [one(content.trim(), status)];
    });
  }
  return (arr(todos) ?? []).map((todo) => one(str(todo, 'content') ?? '', str(todo, 'status') ?? ''));
}
