/** How a command tells why it can't do what was asked: JSON for programs, a line for people; always on stderr. */

import { ERROR_CODES, TurnoutError, UsageError } from '../contract/error.js';
import { usageLine } from '../output/usage-line.js';
import { redact, secretValues } from '../text/redact.js';

function writeStderr(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.on('error', () => resolve());
    process.stderr.write(text, () => resolve());
  });
}

/** A message may quote what was typed, and that may be a key. */
function masked(error: TurnoutError): TurnoutError {
  const secrets = secretValues(process.env);
  const hint = error.hint === undefined ? undefined : redact(error.hint, secrets);
  const options = { cause: error.cause, ...(hint === undefined ? {} : { hint }) };
  const message = redact(error.message, secrets);
  return error instanceof UsageError
    ? new UsageError(message, { ...options, path: error.path ?? undefined, rule: error.rule ?? undefined })
    : new TurnoutError(error.code, message, options);
}

/**
 * Sets the exit code of the error's kind. The process then ends by itself.
 * @param json whether the caller asked for JSON; usage errors of `agent exec` are JSON always
 */
export async function fail(bare: TurnoutError, json: boolean): Promise<void> {
  const error = masked(bare);
  process.exitCode = ERROR_CODES[error.code].exit;
  if (json && error instanceof UsageError) return writeStderr(usageLine(error));
  const hint = error.hint === undefined ? '' : `Try: ${error.hint}\n`;
  return writeStderr(`turnout: ${error.message}\n${hint}`);
}

/** A fault of our own: what helps to find it, without what may be a key. Exit code 1. */
export function crash(error: unknown): Promise<void> {
  process.exitCode = 1;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return writeStderr(`turnout: ${redact(told, secretValues(process.env))}\n`);
}
