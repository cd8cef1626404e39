/** What Letta Code's errors mean (0.32.18): a status and the provider's JSON in one text, or a sentence of its own. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { parseObject, str } from '../../src/text/json.js';
import { codeOfStatusText, codeOfWords } from '../dialects/provider-words.js';

/**
 * `code` of the provider's error, which says more than the status. Sample:
 * `429: {"message":"You exceeded …","type":"insufficient_quota","code":"insufficient_quota"}`
 */
const KINDS: Readonly<Record<string, TurnErrorCode>> = {
  insufficient_quota: 'quota',
  invalid_api_key: 'auth',
  model_not_found: 'model-unavailable',
  rate_limit_exceeded: 'rate-limited',
};

/** `Unknown model "no/such" for provider "openai". …` · `Provider is not configured: openai` */
const OWN: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^Unknown model "/, 'model-unavailable'],
  [/^Provider is not configured: \S+$/, 'auth'],
];

/** stderr of a run that printed nothing else. Samples are whole lines. */
const LAST_WORDS: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^Conversation \S+ not found$/, 'session-not-found'],
  [/^Missing LETTA_API_KEY$/, 'auth'],
];

export interface Failure {
  code: TurnErrorCode;
  message: string;
}

export function failure(text: string): Failure {
  const own = OWN.find(([pattern]) => pattern.test(text))?.[1];
  const provider = /^\d{3}: (\{.*\})$/s.exec(text)?.[1];
  const told = parseObject(provider ?? '');
  const words = str(told, 'message');
  const kind = KINDS[str(told, 'code') ?? ''];
  const code = own ?? kind ?? codeOfWords(words ?? text) ?? codeOfStatusText(text) ?? 'runner-error';
  return { code, message: words ?? text };
}

/** @returns null when no line is known */
export function lastWords(stderr: readonly string[]): Failure | null {
  for (const line of stderr) {
    const found = LAST_WORDS.find(([pattern]) => pattern.test(line.trim()));
    if (found !== undefined) return { code: found[1], message: line.trim() };
  }
  return null;
}
