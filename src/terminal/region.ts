/**
 * The rows below the transcript that change: what is closed goes above them, once, as whole lines that the terminal
 * breaks by itself, so that they can be copied and reflow. A frame is one write.
 */

import { heightOf } from './rows.js';

const SYNC = '\u001b[?2026h';
const SYNC_ENDS = '\u001b[?2026l';
const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';

export interface Frame {
  /** Lines that will not change any more. */
  above: readonly string[];
  /** Each no wider than the screen. */
  rows: readonly string[];
  cursor: { row: number; column: number };
}

export interface Region {
  draw(frame: Frame): void;
  /** Takes the rows off the screen; what is printed next begins there. */
  clear(): void;
  /** Forgets what was drawn: something else was on the screen since. */
  forget(): void;
}

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '');

/** @param columns of the screen now: rows that were drawn on a wider one have become several */
export function region(write: (text: string) => void, columns: () => number): Region {
  let drawn: readonly string[] = [];
  let cursor = { row: 0, column: 0 };

  const above = (): number => {
    const wide = columns();
    const rows = drawn.slice(0, cursor.row).reduce((sum, row) => sum + heightOf(row, wide), 0);
    return rows + Math.floor(Math.max(0, cursor.column - 1) / wide);
  };
  const home = (): string => `${up(above())}\r\u001b[J`;

  return {
    draw(frame) {
      const lines = frame.above.map((line) => `${line}\r\n`).join('');
      const last = frame.rows.length - 1;
      const place = `${up(last - frame.cursor.row)}\r${frame.cursor.column > 0 ? `\u001b[${frame.cursor.column}C` : ''}`;
      write(`${SYNC}${HIDE}${home()}${lines}${frame.rows.join('\r\n')}${place}${SHOW}${SYNC_ENDS}`);
      drawn = frame.rows;
      cursor = frame.cursor;
    },
    clear() {
      write(home());
      drawn = [];
      cursor = { row: 0, column: 0 };
    },
    forget() {
      drawn = [];
      cursor = { row: 0, column: 0 };
    },
  };
}
