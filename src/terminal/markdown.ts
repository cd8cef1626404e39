/**
 * Markdown that is still being written. Only what may change is read again: a block is closed, and printed for good, once
 * another one follows it; of a list every item but the last; of code every full line.
 */

import { lexer, type Token, type Tokens } from 'marked';
import { harmless } from '../text/printable.js';
import { block, fence, type Look } from './blocks.js';
import { known } from './inline.js';

export interface Markdown {
  push(text: string): void;
  /** Lines that are closed since the last call. */
  closed(): string[];
  /** Lines of what is still open. */
  open(): string[];
  /** Closes all. */
  end(): void;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]*)\n/;

interface OpenFence {
  mark: string;
  language: string;
  /** Full lines so far, for the colours of the next. */
  code: string;
}

export function markdown(look: Look): Markdown {
  let buffer = '';
  let done: string[] = [];
  /** Whether a blank line goes in front of the next block. */
  let gap = false;
  let inside: OpenFence | null = null;

  const put = (lines: readonly string[], after: boolean) => {
    if (lines.length === 0) return;
    done.push(...(gap ? ['', ...lines] : lines));
    gap = after;
  };
  /** Full lines of an open fence. @returns whether more of the buffer can be read */
  const codeLines = (): boolean => {
    if (inside === null) return false;
    const end = buffer.lastIndexOf('\n');
    if (end < 0) return false;
    const lines = buffer.slice(0, end).split('\n');
    const { mark, language } = inside;
    const closes = lines.findIndex(
      (line) => line.trim().startsWith(mark) && line.trim().replaceAll(mark.charAt(0), '') === '',
    );
    const code = closes < 0 ? lines : lines.slice(0, closes);
    if (code.length > 0) {
      const before = inside.code === '' ? 0 : inside.code.split('\n').length;
      inside.code = inside.code === '' ? code.join('\n') : `${inside.code}\n${code.join('\n')}`;
      gap = false;
      put(look.highlight(inside.code, language).split('\n').slice(before), false);
    }
    const read = closes < 0 ? lines : lines.slice(0, closes + 1);
    buffer = buffer.slice(read.reduce((sum, line) => sum + line.length + 1, 0));
    if (closes < 0) return false;
    put([fence('', look.paint)], true);
    inside = null;
    return true;
  };
  const opensFence = (raw: string): boolean => {
    const found = FENCE.exec(raw);
    if (!found) return false;
    const [whole, mark = '', language = ''] = found;
    put([fence(language.trim(), look.paint)], false);
    inside = { mark, language: language.trim(), code: '' };
    buffer = raw.slice(whole.length);
    return true;
  };
  /** Items of a list that another one follows. */
  const items = (token: Tokens.List, raw: string) => {
    const ended = token.items.slice(0, -1);
    if (ended.length === 0) return;
    const length = ended.reduce((sum, item) => sum + item.raw.length, 0);
    const loose = ended.some((item) => item.raw.endsWith('\n\n'));
    put(block({ ...token, items: ended } as Token, look), loose);
    buffer = raw.slice(length);
  };

  function read(): void {
    for (let more = true; more; ) {
      more = false;
      if (inside !== null) {
        more = codeLines();
        continue;
      }
      const tokens = lexer(buffer);
      const keep = tokens.at(-1)?.type === 'space' ? 2 : 1;
      const ended = tokens.slice(0, Math.max(0, tokens.length - keep));
      // By length: the lexer's own text of a token is not always what stands there.
      let at = 0;
      for (const token of ended) {
        put(block(token, look), true);
        at += token.raw.length;
      }
      const [last] = tokens.slice(ended.length);
      const raw = buffer.slice(at);
      buffer = raw;
      if (!last) return;
      const open = known(last);
      if (open.type === 'code') more = opensFence(raw);
      else if (open.type === 'list') items(open, raw);
    }
  }

  return {
    push(text) {
      buffer += harmless(text);
      read();
    },
    closed() {
      const lines = done;
      done = [];
      return lines;
    },
    open() {
      if (inside !== null) return buffer === '' ? [] : [buffer];
      const lines = lexer(buffer).flatMap((token) => block(token, look));
      return gap && lines.length > 0 ? ['', ...lines] : lines;
    },
    end() {
      if (inside !== null) {
        buffer += '\n';
        codeLines();
        if (inside !== null) put([fence('', look.paint)], true);
        inside = null;
      }
      const tokens = lexer(buffer);
      buffer = '';
      for (const token of tokens) put(block(token, look), true);
      gap = false;
    },
  };
}
