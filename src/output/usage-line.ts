/** Usage errors as the one JSON line on stderr that hosts read. */

import type { UsageError } from '../contract/error.js';

/** @returns the line with its newline; `hint` is left out when there is none */
export function usageLine(error: UsageError): string {
  const { message, hint } = error;
  return `${JSON.stringify({ v: 1, type: 'error', code: 'usage', message, ...(hint === undefined ? {} : { hint }) })}\n`;
}
