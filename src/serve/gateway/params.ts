/** What a method takes: each parameter with its type. The same table is the schema that clients are given. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { CODE, RpcError } from './rpc.js';

export interface Kind<T> {
  /** For people: `a string`. */
  what: string;
  schema: JsonObject;
  /** @returns undefined when the value is of another type */
  read(value: Json): T | undefined;
}

export const text: Kind<string> = {
  what: 'a string',
  schema: { type: 'string' },
  read: (value) => (typeof value === 'string' ? value : undefined),
};

export const flag: Kind<boolean> = {
  what: 'true or false',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const whole: Kind<number> = {
  what: 'a whole number',
  schema: { type: 'integer' },
  read: (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined),
};

export const list: Kind<Json[]> = {
  what: 'a list',
  schema: { type: 'array' },
  read: (value) => (Array.isArray(value) ? value : undefined),
};

/** Looked at by the method itself. */
export const any: Kind<Json> = { what: 'a value', schema: {}, read: (value) => value };

/** A text, or a list of parts. */
export const content: Kind<string | Json[]> = {
  what: 'a string or a list of parts',
  schema: { type: ['string', 'array'] },
  read: (value) => (typeof value === 'string' || Array.isArray(value) ? value : undefined),
};

export type Shape = Readonly<Record<string, Kind<unknown>>>;
/** What is missing or null is absent. */
export type Values<S extends Shape> = { [Key in keyof S]?: S[Key] extends Kind<infer T> ? T : never };

/** A misspelt consent must not pass as none. */
const CONSENT = /^(?:truncate_|confirm_)/;

/** Unknown keys are left alone, since newer clients send more. @throws {RpcError} */
export function readParams<S extends Shape>(method: string, shape: S, params: JsonObject): Values<S> {
  const unknown = Object.keys(params).find((key) => CONSENT.test(key) && !Object.hasOwn(shape, key));
  if (unknown !== undefined)
    throw new RpcError(CODE.badParam, `invalid params for ${method}: ${unknown}: there is no such parameter`);
  const values: Values<S> = {};
  for (const key in shape) {
    const given = Object.hasOwn(params, key) ? params[key] : undefined;
    if (given === undefined || given === null) continue;
    const value = shape[key]?.read(given);
    if (value === undefined)
      throw new RpcError(CODE.invalidParams, `invalid params for ${method}: ${key}: expected ${shape[key]?.what}`, {
        param: key,
      });
    Object.assign(values, { [key]: value });
  }
  return values;
}

/** JSON Schema of what a method takes. */
export function schemaOf(shape: Shape): JsonObject {
  const properties = Object.fromEntries(
    Object.entries(shape).map(([key, { schema }]) => [key, orNull(schema)] as const),
  );
  return { type: 'object', properties };
}

function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined) return schema;
  return { ...schema, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
}
