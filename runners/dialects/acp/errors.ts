/** Codes of JSON-RPC errors that hold for every ACP agent; what an agent adds is in its quirks. */

import type { Outcome } from '../../../src/runner/action.js';
import { str } from '../../../src/text/json.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import { causeOf } from './causes.js';
import type { Failure, Quirks, Where } from './quirks.js';

const AUTH_REQUIRED = -32000;

function standard(error: RpcError, where: Where): Failure {
  const cause = where === 'load' ? undefined : causeOf(error);
  if (cause !== undefined) return cause;
  if (error.code === AUTH_REQUIRED) return { code: 'auth' };
  switch (where) {
    case 'load':
      return { code: 'session-not-found' };
    case 'model':
      return { code: 'model-unavailable' };
    case 'initialize':
    case 'open':
    case 'prompt':
      return { code: 'runner-error' };
    default: {
      const never: never = where;
      return { code: never };
    }
  }
}

function shown(error: RpcError): string {
  const details = str(error.data, 'details');
  return details === undefined ? error.message : `${error.message}: ${details}`;
}

/** What a failed request makes of the turn. */
export function outcomeOf(error: RpcError, where: Where, quirks: Quirks): Omit<Extract<Outcome, { ok: false }>, 'ok'> {
  const known = quirks.classify?.(error, where) ?? standard(error, where);
  return {
    code: known.code,
    message: `${quirks.title}: ${known.message ?? shown(error)}`,
    ...(known.retryAfterMs === undefined ? {} : { retryAfterMs: known.retryAfterMs }),
    ...(known.resetsAt === undefined ? {} : { resetsAt: known.resetsAt }),
  };
}
