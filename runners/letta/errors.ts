/** What Letta Code's errors mean (0.32.18): a status and the provider's JSON in one text, or its own sentence. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { codeOfWords } from '../../src/text/failure-words.js';
import { parseObject, str } from '../../src/text/json.js';
import { codeOfMessage } from '../dialects/openai-error.js';

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
  // `429: {"message":"You exceeded …","type":"insufficient_quota","code":"insufficient_quota"}`
  const words = str(parseObject(/^\d{3}: (\{.*\})$/s.exec(text)?.[1] ?? ''), 'message') ?? text;
  return { code: own ?? codeOfMessage(text) ?? codeOfWords(words) ?? 'runner-error', message: words };
}

/** @returns null when no line is known */
export function lastWords(stderr: readonly string[]): Failure | null {
  for (const line of stderr) {
    const found = LAST_WORDS.find(([pattern]) => pattern.test(line.trim()));
    if (found !== undefined) return { code: found[1], message: line.trim() };
  }
  return null;
}
