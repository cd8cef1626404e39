/**
 * What a model provider's own sentence means, for programs that pass on nothing else. Only for text that a program
 * marks as an error, never for what a model said. Each pattern is the beginning of a sentence that a provider sends.
 */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { codeOfStatus } from './openai-error.js';

const WORDS: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^Incorrect API key provided: /, 'auth'],
  [/^(?:invalid x-api-key|invalid api key|API key not valid|No auth credentials found)\b/i, 'auth'],
  [/^You exceeded your current quota\b/, 'quota'],
  [/^Your credit balance is too low\b/, 'quota'],
  [/^Insufficient (?:credits|balance|quota)\b/i, 'quota'],
  [/^Rate limit (?:reached|exceeded)\b/i, 'rate-limited'],
  [/^This request would exceed your (?:account|organization)\S* rate limit\b/, 'rate-limited'],
  [/^The model [`']?[\w./:@-]+[`']? does not exist\b/, 'model-unavailable'],
  [/^models\/[\w.-]+ is not found\b/, 'model-unavailable'],
];

/** @returns null for a sentence nobody knows */
export function codeOfWords(text: string): TurnErrorCode | null {
  return WORDS.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? null;
}

/** "429 Rate limit reached…", "401: Incorrect API key…": the words decide where they say more than the status. */
export function codeOfStatusText(text: string): TurnErrorCode | null {
  const parts = /^(\d{3})(?::| |$)\s*(.*)/s.exec(text.trim());
  if (parts === null) return null;
  const known = codeOfWords(parts[2] ?? '');
  const status = codeOfStatus(Number(parts[1]));
  return status === 'rate-limited' ? (known ?? status) : (status ?? known);
}
