/** What OpenCode's errors mean (1.18.33). It passes on the provider's words and no status. */

import type { TurnErrorCode } from '../../../src/contract/error.js';
import { codeOfWords } from '../../../src/text/failure-words.js';
import { str } from '../../../src/text/json.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import type { Failure, Where } from '../acp/index.js';

// How providers' own sentences begin, besides those that all programs share; each was seen in a provider's answer.
const PATTERNS: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^(?:invalid bearer token|authentication_error|User not found)/i, 'auth'],
  [/^The model `[^`]+` does not exist/, 'model-unavailable'],
  [/^models?\/\S+ is not found/, 'model-unavailable'],
];

/** @param text the provider's message */
export function codeOf(text: string): TurnErrorCode {
  return PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? codeOfWords(text) ?? 'runner-error';
}

export function classify(error: RpcError, where: Where): Failure | undefined {
  const message = error.message.replace(/^(Internal error|Invalid params): /, '');
  switch (where) {
    case 'load':
      // An id it does not know: "Internal error: OpenCode service failure" of the service "session".
      return str(error.data, 'service') === 'session'
        ? { code: 'session-not-found', message: 'no such session' }
        : undefined;
    case 'model':
      return { code: 'model-unavailable', message };
    case 'prompt':
      if (error.code !== -32603) return undefined;
      // Its own model list is out of date, its login is not there, or it can't reach anyone: all the same words.
      return { code: codeOf(message), message };
    case 'initialize':
    case 'open':
      return undefined;
    default: {
      const never: never = where;
      return never;
    }
  }
}
