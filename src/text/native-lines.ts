/** What a program meant as lines of JSON, where it printed something around or between them. */

const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
/** A terminal's control sequences, other control characters, a BOM: none can begin JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const LEAD = /^(?:\u001b\[[0-9;?]*[ -/]*[@-~]|[\0-\u001f\u007f\ufeff])+(?=\s*\{)/;

/**
 * Takes colours and NULs off the front of an object, and parts objects that stand on one line (two threads of a program
 * that write at once). A line that is no such thing comes back as it is.
 */
export function nativeLines(text: string): string[] {
  const line = text.charCodeAt(0) <= 0x20 || text.charCodeAt(0) === 0xfeff ? text.replace(LEAD, '') : text;
  if (line.charCodeAt(0) !== BRACE || !mayBeSeveral(line) || isJson(line)) return [line];
  const parts = objectsOf(line);
  return parts?.every(isJson) ? parts : [line];
}

/** Whether an opening brace follows a closing one. Looks at the opening ones alone: a line of a stream has few. */
function mayBeSeveral(line: string): boolean {
  for (let at = line.indexOf('{', 1); at >= 0; at = line.indexOf('{', at + 1)) {
    let before = at - 1;
    while (before > 0 && isBlank(line.charCodeAt(before))) before--;
    if (line.charCodeAt(before) === CLOSING_BRACE) return true;
  }
  return false;
}

/** All that `\s` takes and more; a line that is taken for several by mistake is parsed once more than needed. */
function isBlank(code: number): boolean {
  return code <= 0x20 || code >= 0x80;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Cuts after each outermost object; null when one stays open or something else stands between them. */
function objectsOf(line: string): string[] | null {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) {
      parts.push(line.slice(from, at + 1).trim());
      from = at + 1;
    }
    if (depth < 0) return null;
  }
  return depth === 0 && line.slice(from).trim() === '' ? parts : null;
}
