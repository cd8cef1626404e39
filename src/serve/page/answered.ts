/** What the core refuses, as an answer with a status. */

import { UsageError } from '../../contract/error.js';
import { CoreError, type Reason } from '../../runs/failure.js';
import type { Exchange } from '../listen/surface.js';

const STATUS: Readonly<Record<Reason, number>> = {
  'not-found': 404,
  'bad-request': 400,
  'credential-owner': 403,
  budget: 402,
  conflict: 409,
  'not-active': 409,
  'not-pending': 409,
  'session-busy': 409,
  unsupported: 422,
  busy: 503,
  draining: 503,
  store: 500,
};

const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message } }, { status });

/** Other errors are the listener's to answer. */
export function answered(
  handle: (exchange: Exchange) => Response | Promise<Response>,
): (exchange: Exchange) => Promise<Response> {
  return async (exchange) => {
    try {
      return await handle(exchange);
    } catch (error) {
      if (error instanceof UsageError) return refusal(400, 'usage', error.message);
      if (error instanceof CoreError) return refusal(STATUS[error.reason], error.reason, error.message);
      throw error;
    }
  };
}
