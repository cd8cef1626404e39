/** Whatever was thrown → an error that can be answered. */

import { UsageError } from '../../contract/error.js';
import { CoreError } from '../../runs/failure.js';
import { Problem } from '../listen/problem.js';
import { ApiError, ofCore } from './failure.js';

/** @throws Problem as it is: the listener has answers of its own */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CoreError) return ofCore(error);
  if (error instanceof UsageError)
    return new ApiError(400, 'invalid_value', error.message, { param: error.path, cause: error });
  if (error instanceof Problem) throw error;
  const why = error instanceof Error ? error.message : String(error);
  return new ApiError(500, 'internal_error', `turnout itself failed: ${why}`, { cause: error });
}
