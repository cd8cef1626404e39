/** pi's tools in canonical form (1.6.0: read, bash, edit, write, grep, find, ls, powershell, MCP tools). */

import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, num, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';
import { toolPrefix } from './extension.js';

export interface NativeTool {
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
}

/** An MCP tool's server and its own name; a server that is not ours is cut off at the next double underscore. */
function mcpInput(name: string, args: JsonObject, request: TurnRequest): JsonObject {
  const ours = request.mcpServers.find((server) => name.startsWith(toolPrefix(server.name)));
  if (ours) return { server: ours.name, tool: name.slice(toolPrefix(ours.name).length), arguments: args };
  const [, server = '', tool = ''] = /^mcp__(.*?)__(.*)$/.exec(name) ?? [];
  return { server, tool, arguments: args };
}

export function nativeTool(name: string, args: JsonObject, request: TurnRequest): NativeTool {
  const kind = kindOf(name);
  if (kind === 'mcp') return { name, kind, input: mcpInput(name, args, request) };
  const [only, ...more] = kind === 'edit' ? (arr(args, 'edits') ?? []) : [];
  // One replacement is an edit like everybody's; several keep pi's own list.
  if (only !== undefined && more.length === 0) {
    const { edits: _, ...rest } = args;
    const flat = { ...rest, oldText: str(only, 'oldText') ?? '', newText: str(only, 'newText') ?? '' };
    return { name, kind, input: canonicalInput(kind, flat) };
  }
  return { name, kind, input: canonicalInput(kind, args) };
}

/** Text of a tool's result. */
export function resultText(result: Json | undefined): string {
  return (arr(result, 'content') ?? []).map((part) => str(part, 'text') ?? JSON.stringify(part)).join('\n');
}

export function exitCode(result: Json | undefined): number | undefined {
  return num(result, 'structuredContent', 'exit_code');
}
