/** Columns for people, as wide as their widest cell. */

import { columnsOf } from '../text/printable.js';

/** @param rows all of the same length; a heading is a row like the others @returns lines, each with its line break */
export function textTable(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => columnsOf(row[column] ?? '')));
  const widths = (rows[0] ?? []).map((_, column) => width(column));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
