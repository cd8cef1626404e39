/** Tool names as this family writes them: `mcp__<server>__<tool>` for MCP, bare words for the program's own. */

import type { Json, JsonObject, ToolKind } from '../../../src/contract/vocabulary.js';
import { isObject } from '../../../src/text/json.js';
import { canonicalInput, kindOf } from '../../../src/text/tool-kinds.js';
import type { StreamContext, StreamProgram } from './options.js';

/** Characters outside the API's alphabet become `_` in the server part of a name. */
export function plainServer(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

export function isOf(server: string, name: string): boolean {
  return name.startsWith(`mcp__${plainServer(server)}__`);
}

/** A tool the caller executes: reported as a call by our own MCP server, never as native work. */
export function isCallers(context: StreamContext, name: string): boolean {
  return context.turn.server !== null && isOf(context.turn.server, name);
}

export function kindFor(program: StreamProgram, name: string): ToolKind {
  return program.kinds[name] ?? kindOf(name);
}

/** The canonical input of a native tool; that of an MCP tool names its server and the tool. */
export function inputFor(kind: ToolKind, name: string, native: Json | undefined): JsonObject | null {
  const parts = /^mcp__(.+?)__(.+)$/.exec(name);
  if (parts === null) return canonicalInput(kind, native);
  return { server: parts[1] ?? '', tool: parts[2] ?? '', arguments: isObject(native) ? native : {} };
}
