/** `schemas/gateway.json`, by frame and by method. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { obj } from '../../../src/text/json.js';
import { checker, readSchema } from '../../contract/schema-files.js';

export const schema = readSchema('gateway');
const checks = new Map<string, (value: unknown) => string | null>();

function check(name: string, part: JsonObject, value: unknown): string | null {
  const known = checks.get(name) ?? checker({ ...part, $defs: schema['$defs'] ?? {} });
  checks.set(name, known);
  return known(value);
}

/** What is wrong with a frame that the gateway sent; null: nothing. */
export const frameFault = (frame: JsonObject): string | null => check('', { oneOf: schema['oneOf'] ?? [] }, frame);

export const methodSchema = (method: string): JsonObject | undefined =>
  obj(schema, '$defs', 'methods', 'properties', method, 'properties');

/** What is wrong with a result; null: nothing. */
export function resultFault(method: string, result: Json): string | null {
  const part = obj(methodSchema(method), 'result');
  return part ? check(`result ${method}`, part, result) : `${method} has no schema`;
}

/** What is wrong with the parameters of a method; null: nothing. */
export function paramsFault(method: string, params: Json): string | null {
  const part = obj(methodSchema(method), 'params');
  return part ? check(`params ${method}`, part, params) : `${method} has no schema`;
}
