/** Reading what callers send: closed sets of fields, no value is taken for another. */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { isObject } from '../text/json.js';
import { isWellFormed } from './canonical.js';
import { JobError } from './failure.js';

const refuse = (message: string): never => {
  throw new JobError('invalid_request', message);
};

/** @throws JobError invalid_request naming the fields */
export function onlyFields(value: Json | undefined, known: readonly string[], what: string): JsonObject {
  if (!isObject(value)) return refuse(`${what}: expected an object`);
  const others = Object.keys(value).filter((key) => !known.includes(key));
  if (others.length > 0) refuse(`unsupported ${what} fields: ${others.slice(0, 5).join(', ').slice(0, 200)}`);
  return value;
}

export function textField(
  of: JsonObject,
  name: string,
  rule: { most: number; pattern?: RegExp; form?: string },
): string | undefined {
  const value = of[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '' || value.length > rule.most || !isWellFormed(value))
    return refuse(`${name}: expected a text of 1 to ${rule.most} characters`);
  if (value.includes('\0')) return refuse(`${name}: a NUL character is not allowed`);
  if (rule.pattern && !rule.pattern.test(value)) return refuse(`${name}: expected ${rule.form ?? rule.pattern.source}`);
  return value;
}

export function needField(value: string | undefined, name: string): string {
  return value ?? refuse(`${name} is missing`);
}

export function wholeField(of: JsonObject, name: string, least: number, most: number): number | undefined {
  const value = of[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    return refuse(`${name}: expected a whole number from ${least} to ${most}`);
  return value;
}

export function switchField(of: JsonObject, name: string): boolean | undefined {
  const value = of[name];
  if (value === undefined) return undefined;
  return typeof value === 'boolean' ? value : refuse(`${name}: expected true or false`);
}
