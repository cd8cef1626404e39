/** Errors as OpenAI and those who speak like it word them; several runtimes pass them on. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { parseObject, str } from '../../src/text/json.js';

/** A wrong key comes back in the answer: "Incorrect API key provided: sk-…. You can find…". */
export function withoutKey(text: string): string {
  return text.replace(/(API key provided: )\S+?(?=\.?(\s|$))/g, '$1***');
}

/** What an HTTP status of a model provider means; null for one that tells nothing. */
export function codeOfStatus(status: number): TurnErrorCode | null {
  switch (status) {
    case 401:
    case 403:
      return 'auth';
    case 402:
      return 'quota';
    case 404:
      return 'model-unavailable';
    case 429:
      return 'rate-limited';
    default:
      return null;
  }
}

/** `401: {"message":…,"code":…}`: status and error object, as the OpenAI library for Node makes a message of them. */
export function codeOfMessage(text: string): TurnErrorCode | null {
  const found = /^(\d{3})(?:: | )(.*)$/s.exec(text);
  if (!found) return null;
  const body = parseObject(found[2] ?? '');
  const inner = str(body, 'code') ?? str(body, 'type') ?? str(body, 'error', 'code') ?? str(body, 'error', 'type');
  if (inner === 'insufficient_quota') return 'quota';
  return codeOfStatus(Number(found[1]));
}
