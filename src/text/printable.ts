/** Text from models, programs and disks on a terminal: nothing in it may move the cursor, and it must fit its line. */

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

/** Columns a text takes, roughly: wide scripts and emoji count twice, marks not at all. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) {
    if (/\p{M}|\u200d|\ufe0f/u.test(char)) continue;
    columns +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        char,
      )
        ? 2
        : 1;
  }
  return columns;
}

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
