/** Typed reading of JSON fields that are not options of a turn, such as `run_id` or `limit`. A fault has a path and a rule, as everywhere. */

import { UsageError, type UsageRule } from '../contract/error.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import { parseDuration } from '../text/duration.js';

/** @param what is wrong, as it reads behind the field's name and a colon */
export const fieldFault = (key: string, rule: UsageRule, what: string): UsageError =>
  new UsageError(`${key}: ${what}`, { path: key, rule });

/** Null stands for "not given": many languages can't leave a key out. */
function given(fields: JsonObject, key: string): Json | undefined {
  const value = fields[key];
  return value === null ? undefined : value;
}

/** @throws UsageError */
export function text(fields: JsonObject, key: string): string | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw fieldFault(key, 'type', 'expected a string');
  if (value.trim() === '') throw fieldFault(key, 'empty', 'expected a text that is not empty');
  return value;
}

/** @throws UsageError */
export function needText(fields: JsonObject, key: string): string {
  const value = text(fields, key);
  if (value === undefined) throw fieldFault(key, 'missing', 'expected a string');
  return value;
}

/** @throws UsageError */
export function flag(fields: JsonObject, key: string): boolean {
  const value = given(fields, key);
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw fieldFault(key, 'type', 'expected true or false');
  return value;
}

/** @throws UsageError */
export function whole(fields: JsonObject, key: string, least: number): number | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  const what = `expected a whole number from ${least} on`;
  if (typeof value !== 'number') throw fieldFault(key, 'type', what);
  if (!Number.isSafeInteger(value) || value < least) throw fieldFault(key, 'range', what);
  return value;
}

/** @returns milliseconds of `"90s"`, `"10m"`, or a number of seconds @throws UsageError */
export function duration(fields: JsonObject, key: string): number | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' || typeof value === 'number' ? parseDuration(String(value)) : null;
  if (ms === null) throw fieldFault(key, 'form', 'expected a duration such as "250ms", "90s" or "10m"');
  return ms;
}

/** @throws UsageError */
export function word<Word extends string>(fields: JsonObject, key: string, words: readonly Word[]): Word | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  const found = words.find((one) => one === value);
  if (found === undefined) throw fieldFault(key, 'choice', `expected one of ${words.join(', ')}`);
  return found;
}
