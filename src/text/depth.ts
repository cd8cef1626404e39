/** How deep JSON may be nested: what walks it later (also JSON.stringify) goes one call deeper for each level. */

export const MAX_DEPTH = 1000;

/** Whether a JSON text is nested deeper than {@link MAX_DEPTH}. Looks at long texts only: a short one can't be. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

/**
 * Where the string that begins at a quote ends: at the first quote without an odd number of backslashes before it.
 * @returns the length of the text when it does not end
 */
export function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
