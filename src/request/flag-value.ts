/** Flags of commands that run no turn by the table, but take values of the same kinds. */

import type { Kind } from './kinds.js';
import { place } from './place.js';
import { asFlags } from './spelling.js';

/**
 * @param flag without dashes
 * @returns undefined when it was not given
 * @throws UsageError that names the flag
 */
export function flagValue<Value>(kind: Kind<Value>, flag: string, text: string | undefined): Value | undefined {
  return text === undefined ? undefined : kind.text(text, place(asFlags, [flag]));
}
