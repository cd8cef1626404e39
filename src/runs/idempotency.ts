/** Which requests are the same. */

import { createHash } from 'node:crypto';
import type { Json } from '../contract/vocabulary.js';
import type { Caller } from './ports.js';

/** The same JSON in whatever order its keys stand. */
function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What is kept of a key and its request: digests, so that neither can be read in the store. Callers are kept apart. */
export function keyOf(one: { key: string; request: Json }, caller: Caller): { key: string; fingerprint: string } {
  return {
    key: sha256([caller.surface, caller.principal.name, one.key].join('\n')),
    fingerprint: sha256(canonical(one.request)),
  };
}
