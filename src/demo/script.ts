/** Reads a prompt as a script: `word rest`, several joined by ` then `. */

export interface Step {
  /** null: not a word of the script, to be answered as a prompt segment. */
  word: string | null;
  rest: string;
}

/**
 * A prompt whose first word is unknown is one prompt segment. ` then ` joins steps only in front of a known word, so that it can
 * stand in texts.
 * @param known the words
 */
export function readScript(prompt: string, known: ReadonlySet<string>): Step[] {
  const text = prompt.trim();
  const first = readStep(text, known);
  if (first.word === null) return [first];
  const steps: Step[] = [];
  let from = 0;
  for (const joint of text.matchAll(/\s+then\s+(?=([a-z][a-z-]*))/g)) {
    if (!known.has(joint[1] ?? '')) continue;
    steps.push(readStep(text.slice(from, joint.index), known));
    from = joint.index + joint[0].length;
  }
  steps.push(readStep(text.slice(from), known));
  return steps;
}

function readStep(text: string, known: ReadonlySet<string>): Step {
  const match = /^([a-z][a-z-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const word = match?.[1];
  return word !== undefined && known.has(word)
    ? { word, rest: (match?.[2] ?? '').trim() }
    : { word: null, rest: text.trim() };
}

/** Splits `first the rest` at the first white space. */
export function firstWord(text: string): [string, string] {
  const match = /^(\S+)\s*([\s\S]*)$/.exec(text);
  return [match?.[1] ?? '', match?.[2] ?? ''];
}

/** A whole number from 0 to `max` at the start of the text, or what is taken without one. */
export function count(text: string, otherwise: number, max: number): number {
  const match = /^\d+/.exec(text);
  return match ? Math.min(Number(match[0]), max) : otherwise;
}

/**
 * The JSON value (object, array or string) that a text begins with, and what comes after it.
 * @returns undefined when the text begins with none
 */
export function leadingJson(text: string): { json: string; rest: string } | undefined {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') depth--;
    else if (depth === 0) return undefined;
    if (depth === 0 && !quoted) return { json: text.slice(0, i + 1), rest: text.slice(i + 1) };
  }
  return undefined;
}
