/** Typed reading of a request's fields. Unknown fields are ignored, null is "not given", a wrong type names the field. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { isObject } from '../../text/json.js';
import { invalid } from './failure.js';

const given = (fields: JsonObject, key: string): Json | undefined => fields[key] ?? undefined;
const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** @param path where `fields` stands; empty at the top */
export function text(fields: JsonObject, key: string, path = ''): string | undefined {
  const value = given(fields, key);
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(under(path, key), 'expected a string', 'invalid_type');
}

export function flag(fields: JsonObject, key: string, path = ''): boolean | undefined {
  const value = given(fields, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalid(under(path, key), 'expected true or false', 'invalid_type');
}

export function whole(fields: JsonObject, key: string, path = ''): number | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(under(path, key), 'expected a whole number', 'invalid_type');
}

export function object(fields: JsonObject, key: string, path = ''): JsonObject | undefined {
  const value = given(fields, key);
  if (value === undefined || isObject(value)) return value;
  throw invalid(under(path, key), 'expected an object', 'invalid_type');
}

export function list(fields: JsonObject, key: string, path = ''): Json[] | undefined {
  const value = given(fields, key);
  if (value === undefined || Array.isArray(value)) return value;
  throw invalid(under(path, key), 'expected a list', 'invalid_type');
}

/** One entry of a list. */
export function entry(value: Json, path: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(path, 'expected an object', 'invalid_type');
}

const PAIRS = 16;

/** `metadata`: up to 16 pairs of texts, kept and given back. */
export function metadata(fields: JsonObject): Record<string, string> | undefined {
  const pairs = object(fields, 'metadata');
  if (pairs === undefined) return undefined;
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(pairs)) {
    if (typeof value !== 'string' || value.length > 512) {
      throw invalid(`metadata.${name}`, 'expected a text of up to 512 characters');
    }
    if (name.length > 64) throw invalid('metadata', 'a name has up to 64 characters');
    read[name] = value;
  }
  if (Object.keys(read).length > PAIRS) throw invalid('metadata', `expected up to ${PAIRS} pairs`);
  return read;
}
