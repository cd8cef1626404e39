/** Reading untrusted JSON without casts: every getter says what it found or `undefined`. */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { isTooDeep } from './depth.js';

/** @returns the value, or undefined when the text is not JSON, or nested deeper than anything that can be worked with */
export function parseJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the object of one native line, or undefined when the line is not a JSON object */
export function parseObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{') && !text.trimStart().startsWith('{')) return undefined;
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Walks a path of keys; undefined as soon as one is missing. */
export function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let here: Json | undefined = value;
  for (const key of path) {
    if (typeof key === 'number') here = Array.isArray(here) ? here[key] : undefined;
    else here = isObject(here) ? here[key] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

export function str(value: Json | undefined, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function num(value: Json | undefined, ...path: (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function bool(value: Json | undefined, ...path: (string | number)[]): boolean | undefined {
  const found = at(value, ...path);
  return typeof found === 'boolean' ? found : undefined;
}

export function obj(value: Json | undefined, ...path: (string | number)[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isObject(found) ? found : undefined;
}

export function arr(value: Json | undefined, ...path: (string | number)[]): Json[] | undefined {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : undefined;
}

/** Adds what is known; two unknowns stay unknown. */
export function addKnown(a: number | null | undefined, b: number | null | undefined): number | null {
  if (a == null) return b ?? null;
  return b == null ? a : a + b;
}
