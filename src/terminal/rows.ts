/** Rows of a screen: a text that is cut where the screen ends, and where the cursor stands in it. */

import { wrapAnsi } from 'fast-wrap-ansi';
import { columnsOf } from '../text/printable.js';
import { type Draft, graphemes } from './editor.js';

/** @param line without line breaks */
export const rowsOf = (line: string, columns: number): string[] =>
  line === '' ? [''] : wrapAnsi(line, Math.max(1, columns), { hard: true, trim: false, wordWrap: false }).split('\n');

/** How many rows something that was drawn takes on a screen of this width. */
export const heightOf = (row: string, columns: number): number =>
  Math.max(1, Math.ceil(columnsOf(row) / Math.max(1, columns)));

export interface Laid {
  rows: string[];
  /** Of the cursor: its row, and the column in it. */
  row: number;
  column: number;
}

/**
 * A draft behind its prompt, character by character, so that the cursor is where the next one goes.
 * @param prompt in front of the first line; the others are set in by its width
 */
export function layDraft({ text, at }: Draft, prompt: string, columns: number): Laid {
  const indent = ' '.repeat(columnsOf(prompt));
  const rows = [prompt];
  let used = columnsOf(prompt);
  let cursor: { row: number; column: number } | null = null;
  let index = 0;
  const next = () => {
    rows.push(indent);
    used = columnsOf(indent);
  };
  for (const one of graphemes(text)) {
    const wide = one === '\n' ? 0 : columnsOf(one);
    if (one !== '\n' && used + wide > columns - 1) next();
    if (index === at) cursor = { row: rows.length - 1, column: used };
    index += one.length;
    if (one === '\n') next();
    else {
      rows[rows.length - 1] += one;
      used += wide;
    }
  }
  return { rows, ...(cursor ?? { row: rows.length - 1, column: used }) };
}

/** The part of a laid draft that fits, around the cursor. @param most rows */
export function window({ rows, row, column }: Laid, most: number): Laid {
  if (rows.length <= most) return { rows, row, column };
  const first = Math.min(Math.max(0, row - most + 1), rows.length - most);
  return { rows: rows.slice(first, first + most), row: row - first, column };
}

/** The end of what is longer than it may be, with a mark where the rest was. */
export function tail(rows: readonly string[], most: number): string[] {
  return rows.length <= most ? [...rows] : ['…', ...rows.slice(rows.length - most + 1)];
}
