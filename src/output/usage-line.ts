/** Usage errors as the one JSON line on stderr that hosts read. */

import type { UsageError } from '../contract/error.js';

/** @returns the line with its newline; what is absent in the error is left out */
export function usageLine(error: UsageError): string {
  const { message, hint, path, rule } = error;
  const where = { ...(path === null ? {} : { path }), ...(rule === null ? {} : { rule }) };
  const line = { v: 1, type: 'error', code: 'usage', message, ...(hint === undefined ? {} : { hint }), ...where };
  return `${JSON.stringify(line)}\n`;
}
