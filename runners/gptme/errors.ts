/** gptme's log on stderr (0.35.1), laid out wide by us: its last error, and each retry. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Action } from '../../src/runner/action.js';
import { codeOfStatus, codeOfStatusText, codeOfWords } from '../../src/text/failure-words.js';
import type { Failure } from '../dialects/plain-text.js';

/** Its exit codes, in the words of sysexits: 75 try later, 76 a provider's refusal of the key, 77 no such model. */
const EXITS: Readonly<Record<number, TurnErrorCode>> = { 75: 'rate-limited', 76: 'auth' };

const OWN: readonly (readonly [RegExp, TurnErrorCode])[] = [
  [/^No provider configured, couldn't auto-detect model\./, 'auth'],
  [/^Missing environment variable [A-Z_]+$/, 'auth'],
];
/** A whole line, from a usage error: "Error: No conversation named 'x' to resume". */
const NO_SESSION = /^Error: (No conversation named '.*' to resume)$/;

/** `· ERROR      Error code: 429 - {'error': {'message': 'Rate limit reached …', …}}` (a Python object, no JSON) */
function readError(line: string): Failure | null {
  const text = /^· ERROR\s+(.+?)\s*$/.exec(line)?.[1];
  if (text === undefined || /^(?:Fatal error occurred|at \S)/.test(text)) return null;
  const own = OWN.find(([pattern]) => pattern.test(text))?.[1];
  const status = /^Error code: (\d{3}) - /.exec(text)?.[1];
  const words = /'message': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/.exec(text);
  const message = words?.[1] ?? words?.[2] ?? text;
  const code = own ?? (status === undefined ? codeOfWords(message) : codeOfStatusText(`${status} ${message}`));
  return { code: code ?? 'runner-error', message };
}

export function failure(stderr: readonly string[], exitCode: number | null): Failure | null {
  for (const line of stderr) {
    const gone = NO_SESSION.exec(line.trim())?.[1];
    if (gone !== undefined) return { code: 'session-not-found', message: gone };
    const error = readError(line);
    if (error !== null) return error;
  }
  const code = EXITS[exitCode ?? 0];
  return code === undefined ? null : { code, message: `gptme ended with exit code ${exitCode}.` };
}

/** `· WARNING  OpenAI API transient error (status 429), retrying in 1.0s (attempt 1/3)` */
export function retryOf(line: string): Action | null {
  const parts =
    /^· WARNING\s+(\S.*transient error \(status (\d{3})\)), retrying in ([\d.]+)s \(attempt (\d+)\/(\d+)\)/.exec(line);
  if (parts === null) return null;
  const [, why = '', status = '', seconds = '', attempt = '', max = ''] = parts;
  return {
    do: 'retrying',
    attempt: Number(attempt),
    max: Number(max),
    delayMs: Number(seconds) * 1000,
    code: codeOfStatus(Number(status)),
    message: `gptme tries again: ${why}`,
    why,
  };
}
