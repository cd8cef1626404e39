/** gptme writes tool calls into the text of a message: `@shell(call_1): {"command":"ls"}` at the start of a line. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';

export interface ToolCall {
  id: string;
  name: string;
  args: JsonObject | null;
}

/** The words of a message and its calls, apart. What only looks like a call stays text. */
export function readMessage(content: string): { text: string; calls: ToolCall[] } {
  const calls: ToolCall[] = [];
  const pieces = content.split(/^(?=@[\w-]+\([\w-]+\): \{)/m);
  const text = pieces.filter((piece) => {
    const parts = /^@([\w-]+)\(([\w-]+)\): (\{.*\})\s*$/s.exec(piece);
    const args = parseObject(parts?.[3] ?? '');
    if (parts === null || args === undefined) return true;
    calls.push({ id: parts[2] ?? '', name: parts[1] ?? '', args });
    return false;
  });
  return { text: calls.length === 0 ? content : text.join('').trimEnd(), calls };
}
