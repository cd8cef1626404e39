/** Copilot's tools in canonical form (1.0.102: bash, view, create, edit, grep, glob, web_fetch, task, MCP tools…). */

import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import { arr, num, obj, str } from '../../src/text/json.js';
import { canonicalInput, kindOf } from '../../src/text/tool-kinds.js';

export interface NativeTool {
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
}

/** @param data of a `tool.execution_start` */
export function nativeTool(data: Json | undefined): NativeTool {
  const name = str(data, 'toolName') ?? '';
  const args = obj(data, 'arguments') ?? {};
  const server = str(data, 'mcpServerName');
  if (server !== undefined) {
    return { name, kind: 'mcp', input: { server, tool: str(data, 'mcpToolName') ?? name, arguments: args } };
  }
  const kind = kindOf(name);
  return { name, kind, input: canonicalInput(kind, args) };
}

export interface NativeEnd {
  ok: boolean;
  output: string;
  denied?: boolean;
  exit_code?: number;
}

/** @param data of a `tool.execution_complete` */
export function nativeEnd(data: Json | undefined): NativeEnd {
  const ok = obj(data, 'error') === undefined;
  const parts = (arr(data, 'result', 'contents') ?? []).map((part) => str(part, 'text') ?? JSON.stringify(part));
  const output =
    str(data, 'result', 'content') ?? (parts.length > 0 ? parts.join('\n') : (str(data, 'error', 'message') ?? ''));
  const exitCode = num(data, 'shellExecution', 'exitCode');
  return {
    ok: ok && (exitCode ?? 0) === 0,
    output,
    ...(str(data, 'error', 'code') === 'denied' ? { denied: true } : {}),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
  };
}
