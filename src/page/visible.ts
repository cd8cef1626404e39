/** What a terminal or an eye would be fooled by, as words: "Trojan Source" matters most where somebody has to approve. */

export interface Piece {
  text: string;
  /** It stands for a character that would not be seen, or would change how others are seen. */
  mark: boolean;
}

/** Direction overrides and isolates, zero-width and other format characters, and controls but tabs and line ends. */
const HIDDEN = /[\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]|[^\P{Cc}\t\n\r]/gu;

const named = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** @param joiners whether joined emoji are left whole: they can't hide anything outside of commands */
export function visible(text: string, joiners = false): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (joiners && found[0] === '\u200d') continue;
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), mark: false });
    pieces.push({ text: named(found[0]), mark: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), mark: false });
  return pieces;
}
