/** Values of flags: text in, a typed value out, or a UsageError that names the flag. */

import { UsageError } from '../contract/error.js';
import { parseDuration } from '../text/duration.js';
import { nearestWords } from '../text/nearest.js';

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** One of a list of words; `fallback` when the flag was not given. */
export function choice<Word extends string, Fallback extends Word | null>(
  flag: string,
  text: string | undefined,
  words: readonly Word[],
  fallback: Fallback,
): Word | Fallback {
  if (text === undefined) return fallback;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const [guess] = nearestWords(text, words, 1);
  throw new UsageError(
    `--${flag} is one of ${words.join(', ')}, not ${quoted(text)}${guess === undefined ? '' : `; did you mean ${guess}?`}`,
  );
}

/** Milliseconds; 0 is no limit. */
export function duration(flag: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const ms = parseDuration(text);
  if (ms === null) throw new UsageError(`--${flag} is a duration such as 250ms, 90s, 10m or 1h, not ${quoted(text)}`);
  return ms;
}

/** A whole number from 1 on. */
export function count(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || !Number.isSafeInteger(value)) {
    throw new UsageError(`--${flag} is a whole number from 1 on, not ${quoted(text)}`);
  }
  return value;
}

/** A number above 0. Callers print it with an exponent when it is small (1e-05). */
export function money(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0) || !Number.isFinite(value)) {
    throw new UsageError(`--${flag} is a number of dollars above 0, not ${quoted(text)}`);
  }
  return value;
}

/** Words between commas, blanks around them removed. An empty one is an error, not a word. */
export function list(flag: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const words = text.split(',').map((word) => word.trim());
  if (words.some((word) => word === '')) {
    throw new UsageError(`--${flag} is a list with commas and no empty entry, not ${quoted(text)}`);
  }
  return words;
}

/** A text that must not be empty. */
export function filled(flag: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text.trim() === '') throw new UsageError(`--${flag} is empty`);
  return text;
}
