/** One request line, and typed reading of its keys. Unknown keys are ignored, a wrong type is an error. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { isTooDeep, MAX_DEPTH } from '../../text/depth.js';
import { parseDuration } from '../../text/duration.js';
import { isObject } from '../../text/json.js';
import type { RequestId } from './reply.js';

/** What is wrong with a request. Ends it with exit code 2, or 1 where the request was fine and the world was not. */
export class OpError extends Error {
  constructor(
    message: string,
    readonly exit: 1 | 2 = 2,
    readonly code?: string,
  ) {
    super(message);
    this.name = 'OpError';
  }
}

/** It stands in every line of the answer. */
const LONGEST_ID = 256;

export interface Request {
  op: string;
  id: RequestId | null;
  fields: JsonObject;
}

/** @throws OpError; `id` of a bad request is kept where it can be read */
export function readRequest(text: string): Request | { bad: string; id: RequestId | null } {
  // What can't be walked through can't be compared either.
  if (isTooDeep(text)) return { bad: `a request is nested deeper than ${MAX_DEPTH} levels`, id: null };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { bad: `malformed JSON: ${error instanceof Error ? error.message : ''}`.slice(0, 500), id: null };
  }
  if (!isObject(value)) return { bad: 'a request is a JSON object', id: null };
  const { op, id } = value;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  // Null means "not given" here as everywhere.
  if (id !== undefined && id !== null && known === null) return { bad: 'id: expected a string or a number', id: null };
  if (typeof known === 'string' && known.length > LONGEST_ID)
    return { bad: `id: longer than ${LONGEST_ID} characters`, id: null };
  if (typeof op !== 'string') return { bad: 'op: expected a string', id: known };
  return { op, id: known, fields: value };
}

/** Null stands for "not given": many languages can't leave a key out. */
function given(fields: JsonObject, key: string): Json | undefined {
  const value = fields[key];
  return value === null ? undefined : value;
}

export function text(fields: JsonObject, key: string): string | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new OpError(`${key}: expected a string`);
  if (value.trim() === '') throw new OpError(`${key} is empty`);
  return value;
}

export function needText(fields: JsonObject, key: string): string {
  const value = text(fields, key);
  if (value === undefined) throw new OpError(`${key} is missing`);
  return value;
}

export function flag(fields: JsonObject, key: string): boolean {
  const value = given(fields, key);
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw new OpError(`${key}: expected true or false`);
  return value;
}

export function whole(fields: JsonObject, key: string, least: number): number | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
    throw new OpError(`${key}: expected a whole number from ${least} on`);
  return value;
}

/** Milliseconds: `"90s"`, `"10m"`, or a number of seconds. */
export function duration(fields: JsonObject, key: string): number | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' || typeof value === 'number' ? parseDuration(String(value)) : null;
  if (ms === null) throw new OpError(`${key}: expected a duration such as "250ms", "90s" or "10m"`);
  return ms;
}

export function word<Word extends string>(fields: JsonObject, key: string, words: readonly Word[]): Word | undefined {
  const value = given(fields, key);
  if (value === undefined) return undefined;
  const found = words.find((one) => one === value);
  if (found === undefined) throw new OpError(`${key} is one of ${words.join(', ')}`);
  return found;
}
