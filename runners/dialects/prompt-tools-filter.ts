/**
 * Finds tool calls in a model's text and takes them out of what people see. A call is a code block opened by
 * "```tool_call:NONCE" at the start of a line: one JSON object, then the closing fence. The JSON is read first, so code
 * fences inside its strings do not end it; blocks inside other code blocks or quotes are text.
 */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import { isObject, obj, parseJson, str } from '../../src/text/json.js';

export interface PromptToolCall {
  name: string;
  args: JsonObject;
}

export interface PromptToolsFilter {
  /** @returns the part of the text that is visible by now */
  push(text: string): string;
  /** The message is over. @returns what was held back */
  end(): string;
  /** Calls found so far, in order. */
  calls: PromptToolCall[];
  /** Blocks that could not be read, with the reason. */
  broken: string[];
}

/** Where a JSON object that begins a text ends; keeps its place while the text grows. */
function jsonScanner(): { feed(text: string): number | null; spoiled(): boolean } {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let begun = false;
  let bad = false;
  let seen = 0;
  return {
    spoiled: () => bad,
    feed(text) {
      for (; seen < text.length; seen++) {
        const char = text[seen];
        if (inString) {
          if (escaped) escaped = false;
          else if (char === '\\') escaped = true;
          else if (char === '"') inString = false;
          // A JSON string can't hold a raw newline: the block is broken, and its own fence may end it.
          else if (char === '\n') {
            bad = true;
            inString = false;
          }
          continue;
        }
        if (char === '"') inString = true;
        else if (char === '{' || char === '[') {
          depth++;
          begun = true;
        } else if (char === '}' || char === ']') {
          depth--;
          if (begun && depth === 0) return ++seen;
        } else if (!begun && char !== undefined && char.trim() !== '') {
          bad = true;
          begun = true;
        }
      }
      return null;
    },
  };
}

const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** @param nonce of this turn: a block without it is not ours */
export function promptToolsFilter(nonce: string): PromptToolsFilter {
  const opener = `\`\`\`tool_call:${nonce}`;
  const calls: PromptToolCall[] = [];
  const broken: string[] = [];
  /** The line that is not complete yet, and how much of it was shown. */
  let line = '';
  let shown = 0;
  /** The code block of somebody else that we are in. */
  let other: string | null = null;
  let block: { text: string; scan: ReturnType<typeof jsonScanner>; end: number | null } | null = null;

  const settle = (closed: boolean) => {
    if (!block) return;
    const { text, end } = block;
    block = null;
    const value = end === null ? undefined : parseJson(text.slice(0, end));
    if (!isObject(value)) {
      broken.push(closed ? 'the block holds no JSON object' : 'the block was not complete');
      return;
    }
    const name = str(value, 'name');
    if (name === undefined) broken.push('the call has no "name"');
    else calls.push({ name, args: obj(value, 'arguments') ?? {} });
  };

  /** A complete line (with its newline). @returns what of it is visible */
  const take = (full: string): string => {
    const bare = full.replace(/\r?\n$/, '');
    if (block) {
      const closes = /^ {0,3}```\s*$/.test(bare);
      if (closes && (block.end !== null || block.scan.spoiled() || block.text.trim() === '')) {
        settle(true);
        return '';
      }
      if (block.end === null) {
        block.text += full;
        block.end = block.scan.feed(block.text);
      }
      return '';
    }
    const fence = FENCE_LINE.exec(bare);
    if (other !== null) {
      const mark = fence?.[1] ?? '';
      if (fence && mark[0] === other[0] && mark.length >= other.length && fence[2]?.trim() === '') other = null;
      return full.slice(shown);
    }
    if (bare.trimEnd() === opener) {
      block = { text: '', scan: jsonScanner(), end: null };
      return '';
    }
    if (fence) other = fence[1] ?? null;
    return full.slice(shown);
  };

  /** Whether a line that has just begun may still become an opener. */
  const mayOpen = () => other === null && (opener.startsWith(line) || line.trimEnd() === opener);

  return {
    calls,
    broken,
    push(text) {
      let visible = '';
      let from = 0;
      for (;;) {
        const newline = text.indexOf('\n', from);
        if (newline < 0) break;
        line += text.slice(from, newline + 1);
        visible += take(line);
        line = '';
        shown = 0;
        from = newline + 1;
      }
      line += text.slice(from);
      if (block || mayOpen()) return visible;
      visible += line.slice(shown);
      shown = line.length;
      return visible;
    },
    end() {
      let visible = '';
      if (line !== '') visible = take(line);
      line = '';
      shown = 0;
      if (block) settle(false);
      other = null;
      return visible;
    },
  };
}
