/** One request line. Its keys are read by src/request; unknown ones are ignored, a wrong type is an error. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { RequestId } from '../../runs/asking.js';
import { isTooDeep, MAX_DEPTH } from '../../text/depth.js';
import { isObject } from '../../text/json.js';

/** It stands in every line of the answer. */
const LONGEST_ID = 256;

export interface Request {
  op: string;
  id: RequestId | null;
  fields: JsonObject;
}

/** @throws RequestError; `id` of a bad request is kept where it can be read */
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
