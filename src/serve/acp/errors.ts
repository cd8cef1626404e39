/** Errors of the protocol, with words for people. */

import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { ErrorEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** Something that can't be meant. */
export const invalid = (reason: string): RequestError => new RequestError(INVALID_PARAMS, reason, { reason });

/** Not now. */
export const refused = (reason: string): RequestError => new RequestError(INVALID_REQUEST, reason, { reason });

export const noSession = (id: string, reason = `there is no session ${id}`): RequestError =>
  new RequestError(NOT_FOUND, reason, { sessionId: id });

/** Why a turn failed, in the protocol's numbers; the code of ours, the hint and the waiting time stand beside it. */
export function failure(error: Pick<ErrorEvent, 'code' | 'message' | 'hint' | 'retry_after_ms'>): RequestError {
  const { code, message, hint, retry_after_ms } = error;
  const data: JsonObject = {
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  };
  const number = code === 'auth' ? AUTH_REQUIRED : code === 'session-not-found' ? NOT_FOUND : INTERNAL;
  return new RequestError(number, message, data);
}
