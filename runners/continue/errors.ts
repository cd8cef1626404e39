/** Continue's last words (1.5.47): one JSON line on stderr, `{"status":"error","message":"401 invalid api key"}`. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { codeOfStatusText, codeOfWords } from '../../src/text/failure-words.js';
import { parseObject, str } from '../../src/text/json.js';
import type { Failure } from '../dialects/plain-text.js';

/**
 * Without a configuration it asks the vendor's hub, which wants a login. Offline that ends with
 * "The request failed and the interceptors did not return an alternative response".
 */
const OWN: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^The request failed and the interceptors did not return an alternative response$/, 'auth'],
];

export function failure(stderr: readonly string[]): Failure | null {
  for (const line of [...stderr].reverse()) {
    const told = parseObject(line);
    const message = str(told, 'message');
    if (str(told, 'status') !== 'error' || message === undefined) continue;
    const own = OWN.find(([pattern]) => pattern.test(message))?.[1];
    return { code: own ?? codeOfStatusText(message) ?? codeOfWords(message) ?? 'runner-error', message };
  }
  return null;
}
