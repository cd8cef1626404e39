/** The program's announcement that it asks the model service again. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { num, str } from '../../../src/text/json.js';
import type { StreamProgram } from './options.js';

/**
 * Told by claude in fields of the line, by qwen inside `data`. A lost connection has neither status nor kind.
 * @param known the HTTP status, where only stderr reports it
 * @param count tries so far, where the program does not count
 */
export function retrying(program: StreamProgram, line: JsonObject, known: number | null, count: number): Action {
  const status = num(line, 'error_status') ?? known;
  const word = str(line, 'error');
  const kind = word === undefined || word === 'unknown' ? null : word;
  const what = [status, kind].filter((part) => part !== null).join(' ');
  const { title } = program;
  const why = `The model service ${what === '' ? 'did not answer' : `answered ${what}`}`;
  const message = `${why}; ${title} tries again.`;
  const { code } = program.failure({ status, kind, message, planExhausted: false });
  return {
    do: 'retrying',
    attempt: num(line, 'attempt') ?? num(line, 'data', 'attempt') ?? count,
    max: num(line, 'max_retries') ?? num(line, 'data', 'maxRetries') ?? null,
    delayMs: num(line, 'retry_delay_ms') ?? num(line, 'data', 'delayMs') ?? null,
    code: what === '' ? null : code,
    message,
    why: `${why}.`,
  };
}
