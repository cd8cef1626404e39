/** Finds the JSON value in what a model said. */

import type { Json } from '../contract/vocabulary.js';
import { parseJson } from './json.js';

/** The whole text, the only code block in it, or what stands between the first and the last bracket; undefined when none is JSON. */
export function jsonAnswer(text: string): Json | undefined {
  const whole = parseJson(text.trim());
  if (whole !== undefined) return whole;
  const blocks = [...text.matchAll(/^```[a-z]*\n([\s\S]*?)^```$/gim)];
  if (blocks.length === 1) {
    const inside = parseJson((blocks[0]?.[1] ?? '').trim());
    if (inside !== undefined) return inside;
  }
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return start < 0 || end < start ? undefined : parseJson(text.slice(start, end + 1));
}
