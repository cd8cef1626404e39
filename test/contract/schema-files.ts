/** The hand-written schemas, compiled once: `ajv` in strict mode, draft 2020-12. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { isObject, obj, parseJson } from '../../src/text/json.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();

export function readSchema(name: 'event' | 'frame' | 'scan' | 'config' | 'gateway'): JsonObject {
  const schema = parseJson(readFileSync(join(root, 'schemas', `${name}.json`), 'utf8'));
  if (!isObject(schema)) throw new Error(`schemas/${name}.json is not a JSON object`);
  return schema;
}

/** @returns what is wrong with a value, null when nothing is */
export function checker(schema: JsonObject): (value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: false });
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? null : ajv.errorsText(validate.errors));
}

let events: ((value: unknown) => string | null) | null = null;

/** What is wrong with a line of stdout by `schemas/event.json`. */
export function checkEvent(value: unknown): string | null {
  events ??= checker(readSchema('event'));
  return events(value);
}

/** A definition of a schema with its reference (and what stands beside it) put in. */
export function definition(schema: JsonObject, name: string): JsonObject {
  return inlined(schema, obj(schema, '$defs', name) ?? {});
}

/** A sub-schema with its `$ref` replaced by what it names. */
export function inlined(schema: JsonObject, part: JsonObject): JsonObject {
  const ref = part['$ref'];
  if (typeof ref !== 'string') return part;
  const target = inlined(schema, obj(schema, '$defs', ref.replace('#/$defs/', '')) ?? {});
  const properties = { ...obj(target, 'properties'), ...obj(part, 'properties') };
  return { ...target, ...part, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
}
