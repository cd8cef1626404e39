/** Text from models, programs and disks on a terminal: nothing in it may move the cursor, and it must fit its line. */

import width from 'fast-string-width';

/** For a line of its own: control characters and breaks become a blank, invisible ones a `?`. */
export function oneLine(text: string): string {
  return text
    .replace(/[\t\n\r\v\f\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, (found) => (found === '\u200d' ? found : '?'))
    .trim();
}

/** For running text: line breaks and tabs stay, what a terminal would obey goes. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is left of them
  return plain.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** Columns a text takes on a terminal; colours take none. */
export const columnsOf = (text: string): number => width(text);

/** Cuts a text to a number of columns, with `…` where something is missing. */
export function shorten(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let out = '';
  let used = 0;
  for (const char of text) {
    used += columnsOf(char);
    if (used > columns - 1) break;
    out += char;
  }
  return `${out}…`;
}
