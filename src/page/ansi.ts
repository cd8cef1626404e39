/** Colours of a terminal (SGR) → pieces with a name; everything else that a terminal would obey is left out. */

export interface Coloured {
  text: string;
  /** Classes: `bold dim red …`; empty for plain text. */
  look: string;
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is read
const SEQUENCE = /\u001b(?:\[([0-9;]*)m|\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/g;

function changed(codes: string, colour: string, bold: boolean): { colour: string; bold: boolean } {
  const numbers = codes === '' ? [0] : codes.split(';').map(Number);
  let now = { colour, bold };
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) now = { colour: '', bold: false };
    else if (code === 1) now = { ...now, bold: true };
    else if (code === 22) now = { ...now, bold: false };
    else if (code === 39) now = { ...now, colour: '' };
    else if (code >= 30 && code <= 37) now = { ...now, colour: COLOURS[code - 30] ?? '' };
    else if (code >= 90 && code <= 97) now = { ...now, colour: COLOURS[code - 90] ?? '' };
    // A colour by number or by parts: its arguments are no codes.
    else if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
  }
  return now;
}

export function ansi(text: string): Coloured[] {
  const pieces: Coloured[] = [];
  let now = { colour: '', bold: false };
  let from = 0;
  const put = (part: string) => {
    if (part !== '') pieces.push({ text: part, look: [now.colour, now.bold ? 'bold' : ''].filter(Boolean).join(' ') });
  };
  for (const found of text.matchAll(SEQUENCE)) {
    put(text.slice(from, found.index));
    if (found[1] !== undefined) now = changed(found[1], now.colour, now.bold);
    from = found.index + found[0].length;
  }
  put(text.slice(from));
  return pieces;
}
