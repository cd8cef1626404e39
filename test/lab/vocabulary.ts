/** The words a program speaks: its line types, methods and fields, without their values. */

import type { Json } from '../../src/contract/vocabulary.js';
import { isObject, parseObject, str } from '../../src/text/json.js';

/** Fields whose values name what a line is, in the dialects we know. */
const NAMING = ['type', 'subtype', 'method', 'event', 'kind', 'sessionUpdate', 'phase'];
/** A key that is data (a model's name, a path, an id) says nothing about the program. */
const WORD = /^[A-Za-z_$][A-Za-z_$]{0,39}$/;
const DEPTH = 4;

function walk(value: Json | undefined, path: string, depth: number, add: (word: string) => void): void {
  if (depth === 0) return;
  if (Array.isArray(value)) {
    for (const one of value) walk(one, `${path}[]`, depth, add);
  } else if (isObject(value)) {
    const named = NAMING.map((key) => str(value, key)).filter((word) => word !== undefined && WORD_VALUE.test(word));
    const here = named.length === 0 ? path : `${path}<${named.join('/')}>`;
    add(here);
    for (const [key, inner] of Object.entries(value)) {
      const next = `${here}.${WORD.test(key) ? key : '*'}`;
      add(next);
      walk(inner, next, depth - 1, add);
    }
  }
}

const WORD_VALUE = /^[A-Za-z_][A-Za-z0-9_/.-]{0,59}$/;

/** @param recordings the text of recordings, as `--record` writes them @returns the words, sorted */
export function vocabularyOf(recordings: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of recordings) {
    for (const line of text.split('\n')) {
      const entry = parseObject(line);
      if (str(entry, 'k') !== 'out') continue;
      const said = parseObject(str(entry, 'line') ?? '');
      if (said) walk(said, '', DEPTH, (word) => words.add(word));
    }
  }
  words.delete('');
  return [...words].sort();
}

/** What one list has and the other lacks; where a whole branch is new or gone, only its root. */
export function difference(recorded: readonly string[], now: readonly string[]): { gone: string[]; fresh: string[] } {
  const roots = (words: readonly string[]) =>
    words.filter(
      (word) =>
        !words.some((other) => other !== word && /^[.<[]/.test(word.slice(other.length)) && word.startsWith(other)),
    );
  return {
    gone: roots(recorded.filter((word) => !now.includes(word))),
    fresh: roots(now.filter((word) => !recorded.includes(word))),
  };
}
