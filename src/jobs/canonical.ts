/** Canonical JSON (RFC 8785) and digests over it. */

import { createHash } from 'node:crypto';
import type { Json } from '../contract/vocabulary.js';

/** Whether a text has no half of a surrogate pair; `isWellFormed` is not in Node's types of the oldest version yet. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/**
 * Keys sorted by their UTF-16 units, no white space, strings and numbers as ECMAScript writes them.
 * @throws Error for a lone surrogate, which is no text
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw new Error('a text with a lone surrogate has no canonical form');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, one]) => `${canonicalJson(key)}:${canonicalJson(one ?? null)}`).join(',')}}`;
}

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const digestOf = (value: Json): string => sha256(canonicalJson(value));
