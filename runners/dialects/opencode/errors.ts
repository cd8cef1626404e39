/** What OpenCode's errors mean (1.18.33). It passes on the provider's words and no status. */

import type { TurnErrorCode } from '../../../src/contract/error.js';
import { str } from '../../../src/text/json.js';
import type { RpcError } from '../../../src/text/json-rpc.js';
import type { Failure, Where } from '../acp/index.js';

// Beginnings of providers' own sentences, each seen in an answer of theirs.
const PATTERNS: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^Incorrect API key provided/, 'auth'],
  [/^(invalid|Invalid) (x-api-key|api key|API key|bearer token)/i, 'auth'],
  [/^(Unauthorized|authentication_error|API key not valid|No auth credentials found|User not found)/i, 'auth'],
  [/^You exceeded your current quota/, 'quota'],
  [/^Your credit balance is too low/, 'quota'],
  [/^(Insufficient (credits|balance|quota)|This request requires more credits)/i, 'quota'],
  [/^Rate limit (reached|exceeded)/i, 'rate-limited'],
  [/^(This request would exceed your (account|organization)['’]?s? rate limit|Too Many Requests)/i, 'rate-limited'],
  [/^The model `[^`]+` does not exist/, 'model-unavailable'],
  [
    /^(Model not found|model not found|models?\/\S+ is not found|The requested model is not supported)/,
    'model-unavailable',
  ],
];

/** @param text the provider's message */
export function codeOf(text: string): TurnErrorCode {
  return PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? 'runner-error';
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
