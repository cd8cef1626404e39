/** Errors in Anthropic's shape. The statuses are those of the other APIs: its SDKs repeat the same ones. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { Problem, Rendered } from '../../listen/problem.js';
import { type ApiError, errorHeaders, problemError } from '../failure.js';

function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'billing_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 503:
      return 'overloaded_error';
    default:
      return status >= 500 || status === 424 ? 'api_error' : 'invalid_request_error';
  }
}

/** @property code ours: it says more than the type */
export const errorShown = ({ status, message, code, param }: ApiError): JsonObject => ({
  type: 'error',
  error: { type: typeOf(status), message, code, param },
});

export const errorResponse = (error: ApiError): Response =>
  Response.json(errorShown(error), { status: error.status, headers: errorHeaders(error) });

/** What the listener refuses. */
export function problem(refused: Problem): Rendered {
  const { error, headers } = problemError(refused);
  return { status: refused.status, body: errorShown(error), headers };
}
