/** What the values of options can be: read from a flag's text or from a value, and printed as a flag again. */

import type { JsonObject } from '../contract/vocabulary.js';
import { parseDuration } from '../text/duration.js';
import { isObject, parseJson } from '../text/json.js';
import { nearestWords } from '../text/nearest.js';
import { type Place, quoted } from './place.js';

/** @throws UsageError from each reader */
export interface Kind<Value> {
  /** The text of a flag. */
  text(text: string, at: Place): Value;
  /** All texts of a flag that may be given more than once. */
  texts?(texts: readonly string[], at: Place): Value;
  /** A value of the library's options; also of JSON where `json` is absent. */
  value(given: unknown, at: Place): Value;
  json?(given: unknown, at: Place): Value;
  /** The value as a flag takes it; null: not as one text. */
  print(value: Value, at: Place): string | null;
  /** The words there are, for help and completion. */
  words?: readonly string[];
  /** JSON Schema of the value as JSON, where the option is announced. */
  schema: JsonObject;
}

/** A text that is not empty. */
export const filled: Kind<string> = {
  text: (text, at) => checkFilled(text, at),
  value: (given, at) => checkFilled(given, at),
  print: (value) => value,
  schema: { type: 'string' },
};

function checkFilled(given: unknown, at: Place): string {
  if (typeof given !== 'string') throw at.fault('type', `expected a string, not ${quoted(given)}`);
  if (given.trim() === '') throw at.fault('empty', 'expected a text that is not empty');
  return given;
}

/** One of a list of words. */
export function word<Word extends string>(words: readonly Word[]): Kind<Word> {
  const check = (given: unknown, at: Place): Word => {
    const found = words.find((one) => one === given);
    if (found !== undefined) return found;
    const [guess] = typeof given === 'string' ? nearestWords(given, words, 1) : [];
    const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
    throw at.fault('choice', `expected one of ${words.join(', ')}, not ${quoted(given)}${hint}`);
  };
  return { text: check, value: check, print: (value) => value, words, schema: { type: 'string', enum: [...words] } };
}

/** Words between commas, blanks around them removed. */
function split(text: string, at: Place): string[] {
  const words = text.split(',').map((one) => one.trim());
  if (words.includes(''))
    throw at.fault('empty', `expected a list with commas and no empty entry, not ${quoted(text)}`);
  return words;
}

function checkList(given: unknown, at: Place): string[] {
  if (!Array.isArray(given)) throw at.fault('type', `expected a list of strings, not ${quoted(given)}`);
  return given.map((one: unknown, index) => checkFilled(one, at.in(index)));
}

/** Texts between commas; a list elsewhere. */
export const csv: Kind<readonly string[]> = {
  text: split,
  value: checkList,
  print(value, at) {
    const index = value.findIndex((one) => one.includes(','));
    if (index >= 0) throw at.in(index).fault('form', 'a comma separates entries, so none can hold one');
    return value.length === 0 ? null : value.join(',');
  },
  schema: { type: 'array', items: { type: 'string' } },
};

/** One flag a text; a list elsewhere. */
export const paths: Kind<readonly string[]> = {
  ...csv,
  text: (text, at) => [checkFilled(text, at)],
  texts: (texts, at) => checkList(texts, at),
  print: () => null,
};

/** Some of a list of words, in the list's order; `none` alone is none of them. */
export function someOf<Word extends string>(words: readonly Word[]): Kind<readonly Word[]> {
  const one = word(['none', ...words] as const);
  const check = (given: readonly string[], at: Place): readonly Word[] => {
    for (const asked of given) one.value(asked, at);
    if (given.includes('none') && given.length > 1) throw at.fault('conflict', 'none stands alone');
    return words.filter((each) => given.includes(each));
  };
  return {
    text: (text, at) => check(split(text, at), at),
    value: (given, at) => check(checkList(given, at), at),
    print: (value) => (value.length === 0 ? 'none' : value.join(',')),
    schema: { type: 'array', items: { type: 'string', enum: [...words] } },
  };
}

function checkNumber(given: unknown, at: Place, what: string, fits: (value: number) => boolean): number {
  if (typeof given !== 'number') throw at.fault('type', `expected ${what}, not ${quoted(given)}`);
  // NaN and the infinities are null in JSON.
  if (!Number.isFinite(given) || !fits(given)) throw at.fault('range', `expected ${what}, not ${given}`);
  return given;
}

/** A whole number from 1 on. */
export const count: Kind<number> = {
  text(text, at) {
    const value = /^\d+$/.test(text) ? Number(text) : 0;
    if (value >= 1 && Number.isSafeInteger(value)) return value;
    throw at.fault('range', `expected ${COUNT}, not ${quoted(text)}`);
  },
  value: (given, at) => checkNumber(given, at, COUNT, (value) => Number.isSafeInteger(value) && value >= 1),
  print: String,
  schema: { type: 'integer', minimum: 1 },
};
const COUNT = 'a whole number of at least 1';

/** A number above 0. Callers print it with an exponent when it is small (1e-05). */
export const money: Kind<number> = {
  text(text, at) {
    const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && Number.isFinite(value)) return value;
    throw at.fault('range', `expected ${MONEY}, not ${quoted(text)}`);
  },
  value: (given, at) => checkNumber(given, at, MONEY, (value) => value > 0),
  print: String,
  schema: { type: 'number', exclusiveMinimum: 0 },
};
const MONEY = 'a number of dollars above 0';

/** Milliseconds; 0 is no limit. Flags and JSON take `90s` too, and a bare number there is seconds. */
export const duration: Kind<number> = {
  text: checkDuration,
  value: (given, at) => checkNumber(given, at, 'milliseconds, 0 for no limit', isTime),
  json(given, at) {
    if (typeof given !== 'string' && typeof given !== 'number')
      throw at.fault('type', `expected ${DURATION}, not ${quoted(given)}`);
    return checkDuration(String(given), at);
  },
  print: (value) => (value % 1000 === 0 ? `${value / 1000}${value === 0 ? '' : 's'}` : `${Math.round(value)}ms`),
  schema: { anyOf: [{ type: 'string' }, { type: 'number' }] },
};
const isTime = (value: number): boolean => value >= 0 && Number.isSafeInteger(Math.round(value));
const DURATION = 'a duration such as 250ms, 90s, 10m or 1h';

function checkDuration(text: string, at: Place): number {
  const ms = parseDuration(text);
  if (ms === null) throw at.fault('range', `expected ${DURATION}, not ${quoted(text)}`);
  return ms;
}

/** A switch: the flag alone, true or false elsewhere. */
export const toggle: Kind<boolean> = {
  text: () => true,
  value(given, at) {
    if (typeof given !== 'boolean') throw at.fault('type', `expected true or false, not ${quoted(given)}`);
    return given;
  },
  print: (value) => (value ? '' : null),
  schema: { type: 'boolean' },
};

/** An object of JSON, as a copy. What it must hold is looked at where it is used. */
export const object: Kind<JsonObject> = {
  text: (_, at) => {
    throw at.fault('form', 'expected a JSON object');
  },
  value(given, at) {
    const copy = parseJson(JSON.stringify(given) ?? '');
    if (!isObject(copy)) throw at.fault('type', 'expected a JSON object');
    return copy;
  },
  print: () => null,
  schema: { type: 'object' },
};

/** Whether a host is asked: by frames on stdin, or, when it is one that speaks JSON, by `ask`. */
export const asked = <No extends string>(no: No): Kind<No | 'stdio'> => ({
  ...word([no, 'stdio']),
  json: (given, at) => (word([no, 'ask']).value(given, at) === 'ask' ? 'stdio' : no),
  schema: { type: 'string', enum: ['ask', no] },
});
