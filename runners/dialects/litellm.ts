/** Failures as LiteLLM words them, for the programs that are built on it (aider 0.86, openhands 1.16). */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { codeOfWords } from '../../src/text/failure-words.js';
import type { Failure } from './plain-text.js';

const EXCEPTIONS: Readonly<Record<string, TurnErrorCode>> = {
  AuthenticationError: 'auth',
  PermissionDeniedError: 'auth',
  NotFoundError: 'model-unavailable',
  RateLimitError: 'rate-limited',
};

/**
 * `litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided: …`: the name of the
 * exception twice or once, then the provider's, then its own words.
 * @returns null for any other text
 */
export function litellmFailure(text: string): Failure | null {
  const name = /^litellm\.(\w+): /.exec(text)?.[1];
  if (name === undefined) return null;
  const message = text.replace(/^litellm\.\w+: (?:\w+: )?(?:\w+Exception - )?/, '');
  const code = EXCEPTIONS[name];
  const told = codeOfWords(message);
  return { code: (code === 'rate-limited' || code === undefined ? told : code) ?? code ?? 'runner-error', message };
}
