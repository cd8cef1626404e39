/** Errors as OpenAI and those who speak like it word them; several runtimes pass them on. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { codeOfStatus } from '../../src/text/failure-words.js';
import { parseObject, str } from '../../src/text/json.js';

/** A wrong key comes back in the answer: "Incorrect API key provided: sk-…. You can find…". */
export function withoutKey(text: string): string {
  return text.replace(/(API key provided: )\S+?(?=\.?(\s|$))/g, '$1***');
}

/** `401: {"message":…,"code":…}`: status and error object, as the OpenAI library for Node makes a message of them. */
export function codeOfMessage(text: string): TurnErrorCode | null {
  const found = /^(\d{3})(?:: | )(.*)$/s.exec(text);
  if (!found) return null;
  const body = parseObject(found[2] ?? '');
  const inner = str(body, 'code') ?? str(body, 'type') ?? str(body, 'error', 'code') ?? str(body, 'error', 'type');
  if (inner === 'insufficient_quota') return 'quota';
  if (inner === 'context_length_exceeded') return 'context-full';
  return codeOfStatus(Number(found[1]));
}
