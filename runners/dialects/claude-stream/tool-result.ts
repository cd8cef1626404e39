/** Reads one `tool_result` block of a `user` line. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, bool, isObject, str } from '../../../src/text/json.js';

export interface ToolResult {
  id: string;
  failed: boolean;
  text: string;
  /** The program's own record of what happened (`tool_use_result`), when it is an object. */
  detail: JsonObject | undefined;
  denied: boolean;
  cancelled: boolean;
}

/** Text of a result: a string, or blocks of which only text can be shown. */
function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return content.map((block) => str(block, 'text') ?? `[${str(block, 'type') ?? 'content'}]`).join('\n');
}

/** Why a call did not run (`tool_result_meta`, claude 2.1.332; absent in 2.1.197). */
function refusal(meta: Json | undefined): 'denied' | 'cancelled' | null {
  const kind = str(meta, 'non_execution_kind');
  if (kind === 'user-rejected' || kind === 'interrupted') return 'cancelled';
  if (kind === 'permission-rule' || str(meta, 'permission_decision', 'decision') === 'reject') return 'denied';
  return null;
}

/** The results in a `user` line; other blocks are notes of the program to its model. */
export function toolResults(line: JsonObject): ToolResult[] {
  const blocks = (arr(line, 'message', 'content') ?? []).filter((block) => str(block, 'type') === 'tool_result');
  const record = line['tool_use_result'];
  return blocks.map((block) => {
    const id = str(block, 'tool_use_id') ?? '';
    const why = refusal((arr(line, 'tool_result_meta') ?? []).find((meta) => str(meta, 'id') === id));
    return {
      id,
      failed: bool(block, 'is_error') ?? false,
      text: resultText(isObject(block) ? block['content'] : undefined),
      // With several results in one line nothing says whose record it is.
      detail: blocks.length === 1 && isObject(record) ? record : undefined,
      denied: why === 'denied',
      cancelled: why === 'cancelled',
    };
  });
}
