/**
 * Reads the flags of a command whose values may be any text. oclif's own parser takes a value that begins like a flag
 * for a flag (`--prompt -really?`, `--prompt=--help`), and a prompt is whatever a person typed.
 */

import { UsageError } from '../contract/error.js';
import type { FlagSpec } from '../request/flag.js';
import { nearestWords } from '../text/nearest.js';

/** What was given, by flag, and the words beside. */
export interface ReadFlags<Name extends string = string> {
  has(name: Name): boolean;
  one(name: Name): string | undefined;
  all(name: Name): readonly string[];
  /** What stands between the flags and after `--`. */
  words: readonly string[];
}

/** Splits `--name=value` and `-nvalue`; null when the word is no flag at all. */
function splitWord(word: string): { name: string; inline: string | null } | null {
  if (word.startsWith('--') && word !== '--') {
    const at = word.indexOf('=');
    return at < 0 ? { name: word, inline: null } : { name: word.slice(0, at), inline: word.slice(at + 1) };
  }
  if (word.length > 1 && word.startsWith('-') && word !== '--') {
    const rest = word.slice(2);
    return { name: word.slice(0, 2), inline: rest === '' ? null : rest.replace(/^=/, '') };
  }
  return null;
}

const shown = (word: string): string => (word.length > 60 ? `${word.slice(0, 60)}…` : word);

/**
 * @param argv without the command's own words
 * @param command for hints, e.g. `turnout agent exec`
 * @param options.words whether words that are no flags are taken; `-` is one of them
 * @throws UsageError on an unknown or repeated flag, a missing value, a stray argument
 */
export function readArgv<Name extends string>(
  argv: readonly string[],
  specs: Readonly<Record<Name, FlagSpec>>,
  command: string,
  options: { words?: boolean } = {},
): ReadFlags<Name> {
  const known = new Map<string, { name: string; spec: FlagSpec }>();
  for (const [name, spec] of Object.entries<FlagSpec>(specs)) {
    known.set(`--${name}`, { name, spec });
    if (spec.char !== undefined) known.set(`-${spec.char}`, { name, spec });
  }
  const found = new Map<string, string[]>();

  function unknown(word: string): UsageError {
    const [guess] = nearestWords(word, [...known.keys()], 1);
    const message =
      guess === undefined ? `unknown flag ${shown(word)}` : `unknown flag ${shown(word)}; did you mean ${guess}?`;
    return new UsageError(message, { hint: `${command} --help` });
  }

  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const split = splitWord(word);
    if (options.words && word === '--') {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (options.words && split === null) {
      words.push(word);
      continue;
    }
    if (split === null)
      throw new UsageError(`unexpected argument ${JSON.stringify(shown(word))}: everything is given by flags`);
    const flag = known.get(split.name);
    if (!flag) throw unknown(split.name);
    const values = found.get(flag.name) ?? [];
    if (values.length > 0 && !flag.spec.many) throw new UsageError(`--${flag.name} is given more than once`);
    if (flag.spec.value === undefined) {
      if (split.inline !== null) throw new UsageError(`--${flag.name} takes no value`);
      values.push('');
    } else if (split.inline !== null) {
      values.push(split.inline);
    } else {
      i += 1;
      const next = argv[i];
      const isFlag = next !== undefined && !flag.spec.anyText && known.has(splitWord(next)?.name ?? '');
      if (next === undefined || isFlag) throw new UsageError(`--${flag.name} needs a value (${flag.spec.value})`);
      values.push(next);
    }
    found.set(flag.name, values);
  }

  return {
    has: (name) => found.has(name),
    one: (name) => found.get(name)?.[0],
    all: (name) => found.get(name) ?? [],
    words,
  };
}

/** Whether help is asked for: `--help` or `-h` where a flag is expected, not as the value of one. */
export function wantsHelp(argv: readonly string[], specs: Readonly<Record<string, FlagSpec>>): boolean {
  const takesNext = new Set<string>();
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.value === undefined) continue;
    takesNext.add(`--${name}`);
    if (spec.char !== undefined) takesNext.add(`-${spec.char}`);
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') return false;
    if (word === '--help' || word === '-h') return true;
    if (takesNext.has(word)) i += 1;
  }
  return false;
}
