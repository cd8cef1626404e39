/** A block of markdown as whole lines: nothing is wrapped, framed or padded at its end, so that it copies as it was meant. */

import type { MarkedToken, Token, Tokens } from 'marked';
import { columnsOf } from '../text/printable.js';
import { inline, known } from './inline.js';
import type { Paint } from './paint.js';

export interface Look {
  paint: Paint;
  /** Of the screen: a wider table is written as lines. */
  columns(): number;
  /** Code with colours, by its language. */
  highlight(code: string, language: string): string;
}

/** Line breaks in the source of a paragraph are blanks; those that were meant stay. */
const flow = (tokens: readonly Token[], { paint }: Look): string[] =>
  inline(
    tokens.map((token) => (token.type === 'text' ? { ...token, text: withoutBreaks(token) } : token)),
    paint,
  ).split('\n');

const withoutBreaks = (token: Token): string => known(token).raw.replace(/[ \t]*\n[ \t]*/g, ' ');

/** Code stays as it is, between its fences. */
export const fence = (language: string, paint: Paint): string => paint('dim', `\`\`\`${language}`);

function code({ text, lang = '' }: Tokens.Code, look: Look): string[] {
  return [fence(lang, look.paint), ...look.highlight(text, lang).split('\n'), fence('', look.paint)];
}

function list({ ordered, start, items }: Tokens.List, look: Look): string[] {
  const first = typeof start === 'number' ? start : 1;
  return items.flatMap((item, index) => {
    const mark = ordered ? `${first + index}. ` : '- ';
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const lines = blocks(
      item.tokens.filter(({ type }) => type !== 'checkbox'),
      look,
      !item.loose,
    );
    const indent = ' '.repeat(mark.length);
    const shown = lines.length === 0 ? [''] : lines;
    return shown.map((line, at) => (at === 0 ? mark + box + line : line === '' ? '' : indent + line));
  });
}

function cells(row: readonly Tokens.TableCell[], look: Look): string[] {
  return row.map(({ tokens }) => inline(tokens, look.paint).replaceAll('\n', ' '));
}

function table({ header, rows, align }: Tokens.Table, look: Look): string[] {
  const heads = cells(header, look);
  const body = rows.map((row) => cells(row, look));
  const widths = heads.map((head, at) => Math.max(...[head, ...body.map((row) => row[at] ?? '')].map(columnsOf)));
  const wide = widths.reduce((sum, width) => sum + width + 2, -2);
  if (wide > look.columns()) {
    return body.flatMap((row, index) => [
      ...(index === 0 ? [] : ['']),
      ...row.map((cell, at) => `${look.paint('bold', heads[at] ?? '')}: ${cell}`),
    ]);
  }
  const line = (row: readonly string[], how: (text: string) => string) =>
    row
      .map((cell, at) => {
        const gap = ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(cell)));
        return align[at] === 'right' ? gap + how(cell) : how(cell) + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(heads, (text) => look.paint('bold', text)), ...body.map((row) => line(row, (text) => text))];
}

/** @returns the lines of one token, without a blank one around them */
export function block(token: Token, look: Look): string[] {
  return lines(known(token), look);
}

function lines(token: MarkedToken, look: Look): string[] {
  const { paint } = look;
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading': {
      const text = inline(token.tokens, paint);
      return [token.depth === 1 ? paint('bold', paint('underline', text)) : paint('bold', text)];
    }
    case 'paragraph':
      return flow(token.tokens, look);
    case 'text':
      return flow(token.tokens ?? [token], look);
    case 'code':
      return code(token, look);
    case 'list':
      return list(token, look);
    case 'table':
      return table(token, look);
    case 'blockquote':
      return blocks(token.tokens, look, false).map((line) =>
        line === '' ? paint('dim', '>') : `${paint('dim', '>')} ${line}`,
      );
    case 'hr':
      return [paint('dim', '---')];
    default:
      return token.raw.replace(/\n+$/, '').split('\n');
  }
}

/** @param tight without blank lines between the blocks */
function blocks(tokens: readonly Token[], look: Look, tight: boolean): string[] {
  const parts = tokens.map((token) => block(token, look)).filter((part) => part.length > 0);
  return parts.flatMap((part, index) => (index === 0 || tight ? part : ['', ...part]));
}
