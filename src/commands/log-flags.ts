/** `--log` and `--log-level` of the servers. */

import * as Flags from '@oclif/core/flags';
import { createLog, LOG_FORMATS, LOG_LEVELS, type Log } from '../output/log.js';
import { secretValues } from '../text/redact.js';

export const LOG_FLAGS = {
  log: Flags.string({ summary: 'how stderr is written', options: [...LOG_FORMATS], default: 'text' }),
  'log-level': Flags.string({ summary: 'how much is written', options: [...LOG_LEVELS], default: 'info' }),
};

/** @param secrets values that are masked besides those of the environment */
export function logOf(flags: { log: string; 'log-level': string }, secrets: readonly string[] = []): Log {
  // Other words were refused when the flags were read.
  return createLog({
    format: LOG_FORMATS.find((one) => one === flags.log) ?? 'text',
    level: LOG_LEVELS.find((one) => one === flags['log-level']) ?? 'info',
    secrets: [...secretValues(process.env), ...secrets],
  });
}
