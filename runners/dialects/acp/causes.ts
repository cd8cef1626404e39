/**
 * Why a request failed, from what agents put into an error beside ACP's own codes: a word for the kind, an HTTP status,
 * the provider's sentence, when to try again. For every agent; what one alone does is in its quirks.
 */

import type { TurnErrorCode } from '../../../src/contract/error.js';
import type { Json } from '../../../src/contract/vocabulary.js';
import { codeOfComplaint, codeOfStatus } from '../../../src/text/failure-words.js';
import { isObject, num, parseObject, str } from '../../../src/text/json.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import type { Failure } from './quirks.js';

/** Words for the kind, without case and separators: "usageLimitExceeded", "rate_limit_error", "RATE_LIMIT". */
const KINDS: Readonly<Record<string, TurnErrorCode>> = {
  authenticationerror: 'auth',
  authenticationfailed: 'auth',
  authrequired: 'auth',
  invalidapikey: 'auth',
  unauthenticated: 'auth',
  unauthorized: 'auth',
  billingerror: 'quota',
  billinghardlimitreached: 'quota',
  insufficientquota: 'quota',
  quotaexceeded: 'quota',
  usagelimitexceeded: 'quota',
  usagelimitreached: 'quota',
  ratelimit: 'rate-limited',
  ratelimited: 'rate-limited',
  ratelimiterror: 'rate-limited',
  ratelimitexceeded: 'rate-limited',
  modelnotfound: 'model-unavailable',
  contextlengthexceeded: 'context-full',
  contextwindowexceeded: 'context-full',
  prompttoolong: 'context-full',
};

/** Fields that hold a word for the kind, and those that hold an HTTP status. */
const WORDS = ['errorKind', 'codexErrorInfo', 'kind', 'type', 'code', 'reason', 'status'];
const STATUSES = ['status', 'statusCode', 'httpStatus', 'httpStatusCode', 'code'];
/** Where the provider's own error may lie inside the data. */
const INSIDE = ['error', 'cause', 'details', 'data', 'body'];
const DEEPEST = 4;

function layers(data: Json | undefined, depth = 0): Json[] {
  const value = typeof data === 'string' ? parseObject(data) : data;
  if (depth > DEEPEST || !isObject(value)) return [];
  return [value, ...INSIDE.flatMap((name) => layers(value[name], depth + 1))];
}

const kindOf = (layer: Json): TurnErrorCode | undefined =>
  WORDS.map((name) => KINDS[(str(layer, name) ?? '').replace(/[^a-z]/gi, '').toLowerCase()]).find(Boolean);

const statusOf = (layer: Json): TurnErrorCode | undefined =>
  STATUSES.map((name) => codeOfStatus(num(layer, name) ?? 0)).find((code) => code !== null) ?? undefined;

const wordsOf = (text: string | undefined): TurnErrorCode | undefined =>
  text === undefined
    ? undefined
    : (codeOfComplaint(text.replace(/^(?:Internal error|Invalid params): /, '')) ?? undefined);

/** Milliseconds since 1970, or a date as reported. Small numbers are seconds. */
function moment(layer: Json): number | string | undefined {
  const at = num(layer, 'resetsAt') ?? num(layer, 'resets_at');
  if (at === undefined) return str(layer, 'resetsAt') ?? str(layer, 'resets_at');
  return at < 1e11 ? at * 1000 : at;
}

function wait(layer: Json): number | undefined {
  const seconds = num(layer, 'retryAfter') ?? num(layer, 'retry_after') ?? num(layer, 'retryAfterSeconds');
  return (
    num(layer, 'retryAfterMs') ?? num(layer, 'retry_after_ms') ?? (seconds === undefined ? undefined : seconds * 1000)
  );
}

const first = <Value>(all: readonly Json[], read: (layer: Json) => Value | undefined): Value | undefined =>
  all.map(read).find((one) => one !== undefined);

/** @returns undefined when nothing says why */
export function causeOf(error: RpcError): Failure | undefined {
  const all = [...layers(error.data), ...layers(parseObject(error.message))];
  const code =
    first(all, kindOf) ??
    codeOfStatus(error.code) ??
    wordsOf(error.message) ??
    first(all, (layer) => wordsOf(str(layer, 'message')) ?? wordsOf(str(layer, 'details'))) ??
    first(all, statusOf);
  if (code === undefined) return undefined;
  const [retryAfterMs, resetsAt] = [first(all, wait), first(all, moment)];
  return {
    code,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}
