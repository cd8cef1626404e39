/** The top-level JSON objects of a text, however they are spread over lines. */

/** @returns where the object that begins at `from` ends, or -1 when it does not */
function endOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** @returns the first object (or the whole text when there is none), and how many more things follow it */
export function firstValue(body: string): { first: string; more: string[] } {
  const text = body.replace(/^\uFEFF/, '').trim();
  const end = text.startsWith('{') ? endOf(text, 0) : -1;
  if (end < 0) return { first: text, more: [] };
  const more: string[] = [];
  for (let rest = text.slice(end).trim(); rest !== ''; ) {
    const next = rest.startsWith('{') ? endOf(rest, 0) : -1;
    const one = next < 0 ? rest : rest.slice(0, next);
    more.push(one);
    rest = rest.slice(one.length).trim();
  }
  return { first: text.slice(0, end), more };
}
