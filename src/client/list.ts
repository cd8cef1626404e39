/** What an installed turnout lists: runtimes, models, sessions. */

import { TurnoutError, UsageError } from '../contract/error.js';
import type { ModelList, SessionList } from '../contract/listing.js';
import type { Scan } from '../contract/scan.js';
import { isObject, parseObject, str } from '../text/json.js';
import { runCommand } from './command.js';
import type { FoundProgram } from './find.js';

/** Milliseconds; a runtime that is asked has 30 seconds of its own. */
const LIMIT = 60_000;

const listing = (value: unknown, key: string): boolean =>
  isObject(value) && value['v'] === 1 && Array.isArray(value[key]);
export const isScan = (value: unknown): value is Scan => listing(value, 'agents');
export const isModels = (value: unknown): value is ModelList => listing(value, 'models');
export const isSessions = (value: unknown): value is SessionList => listing(value, 'sessions');

/**
 * @param is what the document must be
 * @throws {TurnoutError} missing-binary: the runtime is not installed; runner-error: it could not be asked
 * @throws {UsageError} an argument is wrong
 */
export async function list<T>(
  program: FoundProgram,
  args: readonly string[],
  is: (value: unknown) => value is T,
): Promise<T> {
  const { code, stdout, stderr } = await runCommand(program, args, LIMIT);
  const value = parseObject(stdout);
  const failure = str(value, 'error', 'message');
  if (failure !== undefined) {
    const hint = str(value, 'error', 'hint');
    const missing = str(value, 'error', 'code') === 'missing-binary';
    throw new TurnoutError(missing ? 'missing-binary' : 'runner-error', failure, hint === undefined ? {} : { hint });
  }
  if (code === 0 && is(value)) return value;
  const said = parseObject(stderr);
  if (str(said, 'code') === 'usage') throw new UsageError(str(said, 'message') ?? 'wrong usage');
  const command = `turnout ${args.slice(0, 2).join(' ')}`;
  throw new TurnoutError('runner-error', `${command} failed (exit code ${code}): ${stderr.trim().slice(-500)}`);
}
