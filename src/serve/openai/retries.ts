/** Which requests are the same one, sent again. */

import { createHash } from 'node:crypto';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { Exchange } from '../listen/surface.js';
import { ApiError } from './failure.js';
import { header } from './header.js';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key that a caller gave a request. @throws ApiError 400 */
export function givenKey(exchange: Exchange): string | undefined {
  const given = header(exchange, 'idempotency-key');
  if (given === undefined || KEY.test(given)) return given;
  throw new ApiError(400, 'invalid_idempotency_key', 'Idempotency-Key: expected 1 to 255 visible ASCII characters');
}

/** A retry comes within this time of the try before it, milliseconds. */
const RETRY_MS = 120_000;

/**
 * The key under which the same request is the same turn. The OpenAI SDKs count their retries: a retry gets the key that the
 * first try was given, so it reads the first try's turn. Without either there is none.
 */
export interface Retries {
  keyOf(exchange: Exchange, request: { path: string; body: JsonObject }): { key: string; retries: boolean } | undefined;
}

export function retries(now: () => number = Date.now): Retries {
  const known = new Map<string, { key: string; at: number }>();
  let count = 0;
  return {
    keyOf(exchange, { path, body }) {
      const given = givenKey(exchange);
      if (given !== undefined) return { key: `given:${given}`, retries: false };
      const tries = header(exchange, 'x-stainless-retry-count');
      if (tries === undefined || !/^\d{1,3}$/.test(tries)) return undefined;
      const hash = createHash('sha256')
        .update(JSON.stringify([exchange.principal.name, path, body]))
        .digest('base64url');
      for (const [old, { at }] of known) {
        if (now() - at <= RETRY_MS) break;
        known.delete(old);
      }
      const first = known.get(hash);
      count += 1;
      const one = tries !== '0' && first ? first : { key: `sdk:${hash}:${now()}:${count}`, at: now() };
      known.delete(hash);
      known.set(hash, { ...one, at: now() });
      return { key: one.key, retries: true };
    },
  };
}
