/** Schemas as hosts write them: plain JSON Schema, or any library of the Standard Schema (Zod, Valibot, ArkType). */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { isObject, parseJson } from '../text/json.js';
import { type Kind, object } from './kinds.js';
import type { Place } from './place.js';

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The part of https://standardschema.dev that is used; `jsonSchema` came with Zod 4.2. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => unknown } | undefined;
  };
}

/** JSON Schema as an object literal. */
export type JsonSchema = Readonly<Record<string, unknown>>;
/** A schema for what a tool takes or a turn answers: JSON Schema, or a Standard Schema such as one of Zod. */
export type AnySchema = JsonSchema | StandardSchema;

/** What a value has become once a schema took it. */
export type Parsed<Schema> = Schema extends StandardSchema<unknown, infer Output> ? Output : JsonObject;

function isStandard(schema: object): schema is StandardSchema {
  return '~standard' in schema && typeof schema['~standard'] === 'object';
}

/** Whether it may be a schema at all. */
export function isSchema(given: unknown): given is object {
  return (typeof given === 'object' && given !== null && !Array.isArray(given)) || typeof given === 'function';
}

/** @throws UsageError it is no schema, or one that can't be written as JSON Schema */
export function toJsonSchema(schema: unknown, at: Place): JsonObject {
  if (!isSchema(schema)) {
    throw at.fault('schema', "expected a JSON Schema object, or a Standard Schema such as Zod's");
  }
  if (!isStandard(schema)) return plain(schema, at);
  const { vendor, jsonSchema } = schema['~standard'];
  if (!jsonSchema) {
    const advice = vendor === 'zod' ? 'use Zod 4.2 or newer, or pass z.toJSONSchema(schema)' : 'pass it as JSON Schema';
    throw at.fault('schema', `this ${vendor} schema can't be written as JSON Schema; ${advice}`);
  }
  let written: unknown;
  try {
    written = jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw at.fault('schema', `this ${vendor} schema can't be written as JSON Schema: ${why}`, { cause });
  }
  return plain(written, at);
}

/** A copy that is JSON and nothing else. */
function plain(value: unknown, at: Place): JsonObject {
  const copy = parseJson(JSON.stringify(value) ?? '');
  if (!isObject(copy)) throw at.fault('schema', 'expected a JSON Schema object');
  return copy;
}

/** The schema of an answer. Whether it compiles is checked by `checkAnswerSchema`. */
export const outputSchema: Kind<JsonObject> = { ...object, value: toJsonSchema, json: plain };

/** Takes a value through a schema: defaults and transforms happen here. Plain JSON Schema was checked elsewhere. */
export async function parse(schema: unknown, value: Json): Promise<{ value: unknown } | { fault: string }> {
  if (typeof schema !== 'object' && typeof schema !== 'function') return { value };
  if (schema === null || !isStandard(schema)) return { value };
  const result = await schema['~standard'].validate(value);
  if (!result.issues) return { value: result.value };
  const shown = result.issues.slice(0, 5).map(({ message, path }) => {
    const place = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  return { fault: shown.join('; ') };
}
