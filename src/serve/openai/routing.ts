/** Routes whose failures are answered in OpenAI's shape. */

import type { Exchange, KeyedRoute } from '../listen/surface.js';
import { asApiError } from './as-error.js';
import { errorResponse } from './failure.js';

export type Handle = (exchange: Exchange) => Response | Promise<Response>;

const BODY = { types: ['application/json'], most: 32 * 1024 * 1024 };

/** What a handler throws is answered in OpenAI's shape. */
function answering(handle: Handle): Handle {
  return async (exchange) => {
    try {
      return await handle(exchange);
    } catch (error) {
      return errorResponse(asApiError(error));
    }
  };
}

export const get = (path: string, handle: Handle): KeyedRoute => ({
  method: 'GET',
  path,
  auth: 'key',
  handle: answering(handle),
});

export const post = (path: string, handle: Handle): KeyedRoute => ({
  method: 'POST',
  path,
  auth: 'key',
  body: BODY,
  stream: 'events',
  handle: answering(handle),
});

export const remove = (path: string, handle: Handle): KeyedRoute => ({ ...get(path, handle), method: 'DELETE' });

export const patch = (path: string, handle: Handle): KeyedRoute => ({ ...post(path, handle), method: 'PATCH' });
