/**
 * What a vendor's own sentence means, for programs that pass on nothing else. Only for text that a program marks as an
 * error or prints on stderr, never for what a model said. Each pattern is the beginning of a sentence that a vendor sends.
 */

import type { TurnErrorCode } from '../contract/error.js';

const WORDS: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^prompt is too long\b/i, 'context-full'],
  [/^Input is too long for requested model\b/, 'context-full'],
  [/^input length and `max_tokens` exceed context limit\b/, 'context-full'],
  [/^This (?:model|endpoint)['\u2019]s maximum context length is \d+ tokens\b/, 'context-full'],
  [/^Your input exceeds the context window of this model\b/, 'context-full'],
  [/^The input token count (?:\(\d+\) )?exceeds the maximum number of tokens allowed\b/, 'context-full'],
  [/^Codex ran out of room in the model['\u2019]s context window\b/, 'context-full'],
  [/^Incorrect API key provided: /, 'auth'],
  [/^(?:invalid x-api-key|invalid api key|API key not valid|API key expired|No auth credentials found)\b/i, 'auth'],
  [/^(?:No API key (?:found|provided)|Missing API key|You (?:are not|must be) logged in|Not logged in)\b/i, 'auth'],
  [/^(?:Authentication (?:required|failed)|Unauthorized|Please (?:log|sign) in|Please run \S+ login)\b/i, 'auth'],
  [/^Your (?:login|session|token) (?:has )?expired\b/i, 'auth'],
  [/^You exceeded your current quota\b/, 'quota'],
  [/^You(?:['\u2019]ve| have) (?:hit|reached|exceeded) your (?:\S+ ){0,3}(?:limit|quota)\b/i, 'quota'],
  [/^You have exhausted your\b.{0,60}\bquota\b/, 'quota'],
  [/^Your credit balance is too low\b/, 'quota'],
  [/^(?:Insufficient (?:credits|balance|quota|funds)|Usage limit (?:reached|exceeded)|Out of credits)\b/i, 'quota'],
  [/^This request requires more credits\b/, 'quota'],
  [/^(?:Rate limit (?:reached|exceeded)|Too many requests)\b/i, 'rate-limited'],
  [/^This request would exceed your (?:account|organization)\S* rate limit\b/, 'rate-limited'],
  [/^The model [`']?[\w./:@-]+[`']? does not exist\b/, 'model-unavailable'],
  [/^models\/[\w.-]+ is not found\b/, 'model-unavailable'],
  [/^(?:Model not found|Unknown model|The requested model is not (?:supported|available))\b/i, 'model-unavailable'],
];

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

/** @returns null for a sentence that is not known */
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

/** What stands in front of a sentence in a log: a time, a level, the word "error", the class of an error. */
const IN_FRONT =
  /^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?|\[?(?:error|fatal|critical|warn(?:ing)?)\]?:?|[\w.]*(?:Error|Exception):|(?:Internal|API|Request|Server) error:|[\u2716\u2717\u00d7\u274c]|:|-)\s+/i;

/** A line longer than this is data. */
const LONGEST = 2000;

/** @returns what a line that a program prints about its own failure means; null when it is not known */
export function codeOfComplaint(line: string): TurnErrorCode | null {
  if (line.length > LONGEST) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
  let rest = line.replace(/\x1b\[[\d;]*m/g, '').trim();
  for (let parts = 0; parts < 6; parts++) {
    const known = codeOfWords(rest) ?? codeOfStatusText(rest);
    if (known !== null) return known;
    const shorter = rest.replace(IN_FRONT, '');
    if (shorter === rest) return null;
    rest = shorter;
  }
  return null;
}
