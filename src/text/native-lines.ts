/** What a program meant as lines of JSON, where it printed something around or between them. */

import { parseObject } from './json.js';

const BLANK = 0x20;
/** Each costs an exception: a line with more of them is noise. */
const MOST_BROKEN = 1000;

/**
 * Finds the objects of a line that is no object itself: behind a banner, a terminal's title or colours, NULs or a BOM,
 * in front of such, or several on one line (two threads of a program that write at once). Only outermost objects count:
 * what stands inside of a broken one may be the model's own words. Linear in the line.
 * @returns the line as it is when it is an object, or has none
 */
export function nativeLines(text: string): string[] {
  if (parseObject(text) !== undefined) return [text];
  const found: string[] = [];
  let broken = 0;
  for (let from = text.indexOf('{'); from >= 0; from = text.indexOf('{', from)) {
    if (!beginsObject(text, from)) {
      from++;
      continue;
    }
    const end = endOfObject(text, from);
    if (end === null) break;
    const one = text.slice(from, end);
    if (parseObject(one) !== undefined) found.push(one);
    else if (++broken > MOST_BROKEN) break;
    from = end;
  }
  return found.length > 0 ? found : [text];
}

/** A brace that no key follows is noise: what comes after it is looked at by itself. */
function beginsObject(text: string, at: number): boolean {
  let next = at + 1;
  while (text.charCodeAt(next) <= BLANK) next++;
  return text[next] === '"' || text[next] === '}';
}

/** @returns the place behind the brace that closes it; null when it stays open */
function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return null;
}
