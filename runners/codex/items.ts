/** Thread items of the app server as native tool calls (item types of 0.171.0). */

import type { Json, JsonObject, ToolKind } from '../../src/contract/vocabulary.js';
import { arr, isObject, num, str } from '../../src/text/json.js';
import { unwrapShell } from './shell-wrapper.js';
import { BRIDGE } from './thread.js';

export interface NativeCall {
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
}

export interface NativeEnd {
  ok: boolean;
  output: string;
  denied?: boolean;
  exit_code?: number;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Drops what is unknown. */
function known(fields: Record<string, Json | undefined>): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined && value !== null) out[key] = value;
  return out;
}

/** Changed files in the canonical form of a patch. */
export function changedFiles(item: Json | undefined): JsonObject {
  const files = (arr(item, 'changes') ?? []).map((change) =>
    known({
      file_path: str(change, 'path'),
      action: str(change, 'kind', 'type'),
      diff: str(change, 'diff'),
      move_path: str(change, 'kind', 'move_path'),
    }),
  );
  return { files };
}

function searchCall(item: JsonObject): NativeCall {
  const input = known({ query: str(item, 'query') || str(item, 'action', 'query'), url: str(item, 'action', 'url') });
  return { name: 'web_search', kind: 'web', input };
}

/** @returns null for items that are not native tool calls: messages, caller tools, bookkeeping */
export function nativeCall(item: JsonObject): NativeCall | null {
  switch (str(item, 'type')) {
    case 'commandExecution': {
      const input = known({ command: unwrapShell(str(item, 'command') ?? ''), cwd: str(item, 'cwd') });
      return { name: 'exec_command', kind: 'shell', input };
    }
    case 'fileChange':
      return { name: 'apply_patch', kind: 'patch', input: changedFiles(item) };
    case 'mcpToolCall': {
      const [server, tool] = [str(item, 'server') ?? '', str(item, 'tool') ?? ''];
      if (server === BRIDGE) return null;
      return {
        name: `mcp__${server}__${tool}`,
        kind: 'mcp',
        input: { server, tool, arguments: item['arguments'] ?? null },
      };
    }
    case 'webSearch':
      return searchCall(item);
    case 'imageView':
      return { name: 'view_image', kind: 'read', input: known({ file_path: str(item, 'path') }) };
    case 'imageGeneration':
      return { name: 'image_generation', kind: 'other', input: known({ prompt: str(item, 'revisedPrompt') }) };
    case 'sleep':
      return { name: 'sleep', kind: 'other', input: known({ duration_ms: num(item, 'durationMs') }) };
    case 'collabAgentToolCall': {
      const tool = snake(str(item, 'tool') ?? 'agent');
      const input = known({ prompt: str(item, 'prompt'), model: str(item, 'model') || undefined });
      return { name: tool, kind: tool === 'spawn_agent' ? 'task' : 'other', input };
    }
    default:
      return null;
  }
}

/** Codex's own words for a call that was not allowed; there is no status for it. */
const REFUSED = /^(user rejected MCP tool call|MCP tool call requires approval, but approval policy is never)$/;

function mcpOutput(item: JsonObject): string {
  const error = str(item, 'error', 'message');
  if (error !== undefined) return error;
  const parts = (arr(item, 'result', 'content') ?? []).map((part) => str(part, 'text') ?? JSON.stringify(part));
  return parts.join('\n');
}

/** How a native call ended. A web search has no status: codex reports it once it is over. */
export function nativeEnd(item: JsonObject): NativeEnd {
  const status = str(item, 'status');
  const ok = status === undefined || status === 'completed';
  const denied = status === 'declined' ? { denied: true } : {};
  const exitCode = num(item, 'exitCode');
  switch (str(item, 'type')) {
    case 'commandExecution':
      return {
        ok,
        output: str(item, 'aggregatedOutput') ?? '',
        ...denied,
        ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      };
    case 'mcpToolCall': {
      const output = mcpOutput(item);
      return { ok: ok && !isObject(item['error']), output, ...(REFUSED.test(output) && !ok ? { denied: true } : {}) };
    }
    case 'imageGeneration':
      return { ok, output: str(item, 'savedPath') ?? '' };
    default:
      return { ok, output: '', ...denied };
  }
}
