/**
 * Errors in OpenAI's shape, and their statuses. Both OpenAI SDKs and the AI SDK send a request three times on 408, 409, 429
 * and from 500 on, so what failed after an agent was started has a status that none of them repeats.
 */

import type { ErrorEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { CoreError, Reason } from '../../runs/failure.js';
import type { Problem, ProblemCode, Rendered } from '../listen/problem.js';

export interface ApiErrorOptions {
  /** What of the request is wrong: `messages[2].content`. */
  param?: string | null;
  /** Seconds after which the same request may be sent again; it must not be repeated when absent. */
  retryAfter?: number;
  cause?: unknown;
}

/** Thrown by handlers; the surface renders it. */
export class ApiError extends Error {
  readonly param: string | null;
  readonly retryAfter: number | null;

  /** @param code stable, for programs @param message for people: what to do */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.param = options.param ?? null;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** A request that is wrong at one place. */
export const invalid = (param: string, message: string, code = 'invalid_value'): ApiError =>
  new ApiError(400, code, `${param}: ${message}`, { param });

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  if (status === 402) return 'insufficient_quota';
  return status >= 500 || status === 424 ? 'server_error' : 'invalid_request_error';
}

/** The value of `error` in an answer or a frame. */
export function errorBody({ message, status, code, param }: ApiError): JsonObject {
  return { message, type: typeOf(status), param, code };
}

/** Headers that tell the SDKs whether to repeat the request. */
export function errorHeaders({ retryAfter }: ApiError): Record<string, string> {
  return retryAfter === null ? { 'x-should-retry': 'false' } : { 'retry-after': String(retryAfter) };
}

export const errorResponse = (error: ApiError): Response =>
  Response.json({ error: errorBody(error) }, { status: error.status, headers: errorHeaders(error) });

const CORE: Readonly<Record<Reason, { status: number; code: string; retryAfter?: number }>> = {
  'not-found': { status: 404, code: 'not_found' },
  'not-active': { status: 410, code: 'run_not_active' },
  'not-pending': { status: 410, code: 'tool_call_expired' },
  unsupported: { status: 400, code: 'unsupported' },
  conflict: { status: 409, code: 'idempotency_key_conflict' },
  busy: { status: 429, code: 'rate_limit_exceeded', retryAfter: 1 },
  'session-busy': { status: 429, code: 'session_busy', retryAfter: 1 },
  store: { status: 503, code: 'store_unavailable', retryAfter: 5 },
  draining: { status: 503, code: 'draining', retryAfter: 1 },
  'credential-owner': { status: 403, code: 'credential_owner' },
  budget: { status: 402, code: 'budget' },
  'bad-request': { status: 400, code: 'invalid_value' },
};

/** What the core refused, before a turn was started. */
export function ofCore(error: CoreError): ApiError {
  const { status, code, retryAfter } = CORE[error.reason];
  return new ApiError(status, code, error.message, {
    cause: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

type TurnCode = ErrorEvent['code'];

/** Nothing here is repeated by an SDK: 400, 402, 404 and 424 are sent once everywhere. */
const TURN: Readonly<Record<TurnCode, { status: number; code: string }>> = {
  auth: { status: 424, code: 'upstream_auth' },
  quota: { status: 402, code: 'insufficient_quota' },
  'rate-limited': { status: 424, code: 'rate_limited' },
  'missing-binary': { status: 404, code: 'model_not_found' },
  'no-runner': { status: 404, code: 'model_not_found' },
  'model-unavailable': { status: 404, code: 'model_not_found' },
  budget: { status: 402, code: 'budget' },
  unsafe: { status: 400, code: 'unsafe' },
  unsupported: { status: 400, code: 'unsupported' },
  'session-not-found': { status: 404, code: 'session_not_found' },
  'context-full': { status: 400, code: 'context_length_exceeded' },
  'mcp-failed': { status: 424, code: 'mcp_failed' },
  'output-schema': { status: 424, code: 'output_schema' },
  'runner-error': { status: 424, code: 'runner_error' },
  timeout: { status: 424, code: 'timeout' },
  cancelled: { status: 424, code: 'cancelled' },
  interrupted: { status: 424, code: 'interrupted' },
  'bad-frame': { status: 424, code: 'runner_error' },
  usage: { status: 400, code: 'invalid_value' },
};

/** What a rate limit without a time is answered with, seconds. */
const RETRY_S = 20;

/**
 * How a turn failed.
 * @param idle the agent had neither said nor done anything, so that the request may be sent again
 */
export function ofTurn(error: Pick<ErrorEvent, 'code' | 'message' | 'retry_after_ms'>, idle: boolean): ApiError {
  if (error.code === 'rate-limited' && idle) {
    const { retry_after_ms: wait } = error;
    const retryAfter = wait === undefined ? RETRY_S : Math.max(1, Math.ceil(wait / 1000));
    return new ApiError(429, 'rate_limited', error.message, { retryAfter });
  }
  const { status, code } = TURN[error.code];
  return new ApiError(status, code, error.message);
}

const isCode = (code: string): code is TurnCode => Object.hasOwn(TURN, code);

/** A run that is over, and failed. */
export const ofRun = ({ code, message }: { code: string; message: string }): ApiError =>
  isCode(code) ? ofTurn({ code, message }, false) : new ApiError(424, code, message);

const PROBLEMS: Readonly<Record<ProblemCode, string>> = {
  malformed: 'invalid_request',
  unauthorized: 'invalid_api_key',
  forbidden: 'forbidden',
  'not-found': 'not_found',
  method: 'method_not_allowed',
  timeout: 'request_timeout',
  'too-large': 'body_too_large',
  type: 'unsupported_media_type',
  'headers-too-large': 'headers_too_large',
  busy: 'server_busy',
  draining: 'draining',
  internal: 'internal_error',
};

const MESSAGES: Partial<Readonly<Record<ProblemCode, string>>> = {
  unauthorized: 'The API key is missing or unknown: send it as "Authorization: Bearer KEY".',
};

/** What the listener refuses, before it has a shape. */
export function problemError({ status, code, message }: Problem): { error: ApiError; headers: Record<string, string> } {
  const error = new ApiError(status, PROBLEMS[code], MESSAGES[code] ?? message);
  // Nothing was started, but only a full or ending server will answer otherwise next time.
  return { error, headers: status === 503 ? {} : { 'x-should-retry': 'false' } };
}

/** What the listener refuses. */
export function problem(refused: Problem): Rendered {
  const { error, headers } = problemError(refused);
  return { status: refused.status, body: { error: errorBody(error) }, headers };
}
