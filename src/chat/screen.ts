/** The rows below the transcript of a chat: what is being written, what is going on, what is typed, what may be meant. */

import type { Paint } from '../terminal/paint.js';
import { type Laid, layDraft, rowsOf, tail, window } from '../terminal/rows.js';
import { columnsOf } from '../text/printable.js';
import type { InputLine } from './input.js';

export interface Live {
  /** Lines of the answer that are still open. */
  open: readonly string[];
  status: string;
  queued: readonly string[];
  /** Instead of the input: the keys that answer a permission question. */
  keys: string | null;
  prompt: string;
  secret: boolean;
}

export interface Size {
  columns: number;
  rows: number;
}

export interface Rows {
  rows: string[];
  cursor: { row: number; column: number };
}

function fitting(text: string, columns: number): string {
  if (columnsOf(text) < columns) return text;
  return `${rowsOf(text, columns - 2)[0] ?? ''}…`;
}

function suggestionRows(input: InputLine, columns: number, paint: Paint): string[] {
  const { list } = input.suggestions();
  const wide = Math.max(0, ...list.map(({ shown }) => columnsOf(shown)));
  return list.map(({ shown, hint }, index) => {
    const gap = ' '.repeat(wide - columnsOf(shown));
    const row = fitting(`  ${shown}${hint === '' ? '' : `${gap}  ${hint}`}`, columns);
    return index === input.chosen() ? paint('bold', row) : paint('dim', row);
  });
}

function typed(input: InputLine, { prompt, secret }: Live, columns: number): Laid {
  const searched = input.searched();
  if (searched !== null) {
    const text = `${searched.query}: ${(searched.found ?? '').replaceAll('\n', ' ')}`;
    return layDraft({ text, at: searched.query.length }, '(search) ', columns);
  }
  const draft = input.draft();
  const shown = secret ? { text: '*'.repeat(draft.text.length), at: draft.at } : draft;
  return layDraft(shown, prompt, columns);
}

export function liveRows(live: Live, input: InputLine, { columns, rows }: Size, paint: Paint): Rows {
  const open = live.open.flatMap((line) => rowsOf(line, columns));
  const above = [
    ...tail(open, Math.max(1, Math.floor(rows / 2))),
    '',
    paint('dim', fitting(live.status, columns)),
    ...live.queued.map((text) => paint('dim', fitting(`queued: ${text.replaceAll('\n', ' ')}`, columns))),
  ];
  if (live.keys !== null) {
    const row = `  ${live.keys}`;
    return { rows: [...above, row], cursor: { row: above.length, column: columnsOf(row) } };
  }
  const laid = window(typed(input, live, columns), Math.max(1, Math.floor(rows / 3)));
  const room = Math.max(0, rows - above.length - laid.rows.length - 1);
  const below = live.secret ? [] : suggestionRows(input, columns, paint).slice(0, room);
  return { rows: [...above, ...laid.rows, ...below], cursor: { row: above.length + laid.row, column: laid.column } };
}
