/** Cutting text to a number of UTF-8 bytes, never inside a code point. */

/** Longest a UTF-16 unit gets in UTF-8 (a pair of surrogates has four bytes for two units). */
const MOST_BYTES = 3;

/** The longest beginning of `text` that fits into `maxBytes` of UTF-8. A lone surrogate counts as U+FFFD, three bytes. */
export function cutUtf8(text: string, maxBytes: number): { text: string; cut: boolean } {
  if (text.length * MOST_BYTES <= maxBytes) return { text, cut: false };
  const end = fits(text, 0, maxBytes);
  return end === text.length ? { text, cut: false } : { text: text.slice(0, end), cut: true };
}

/** Pieces of at most `maxBytes` of UTF-8 that join to `text`; a code point wider than that is a piece of its own. */
export function splitUtf8(text: string, maxBytes: number): string[] {
  if (text.length * MOST_BYTES <= maxBytes) return [text];
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    let end = fits(text, from, maxBytes);
    if (end === from) end += width(text, from);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces.length > 0 ? pieces : [text];
}

/** @returns how far `text` goes from `from` in at most `maxBytes` */
function fits(text: string, from: number, maxBytes: number): number {
  let bytes = 0;
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const units = unit < 0xd800 ? 1 : width(text, at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : units === 2 ? 4 : 3;
    if (bytes > maxBytes) break;
    at += units;
  }
  return at;
}

/** @returns UTF-16 units of the code point at `at` */
function width(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
