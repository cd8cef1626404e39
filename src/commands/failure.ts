/** How a command tells why it can't do what was asked: JSON for programs, a line for people; always on stderr. */

import { ERROR_CODES, type TurnoutError, UsageError } from '../contract/error.js';
import { usageLine } from '../output/usage-line.js';

function writeStderr(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.on('error', () => resolve());
    process.stderr.write(text, () => resolve());
  });
}

/**
 * Sets the exit code of the error's kind. The process then ends by itself.
 * @param json whether the caller asked for JSON; usage errors of `agent exec` are JSON always
 */
export async function fail(error: TurnoutError, json: boolean): Promise<void> {
  process.exitCode = ERROR_CODES[error.code].exit;
  if (json && error instanceof UsageError) return writeStderr(usageLine(error));
  const hint = error.hint === undefined ? '' : `Try: ${error.hint}\n`;
  return writeStderr(`turnout: ${error.message}\n${hint}`);
}
