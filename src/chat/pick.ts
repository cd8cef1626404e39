/** Choosing from a list, with the keys that people know from other programs. */

import type { Choosable } from './commands.js';

/** @returns the value; null when the person changed their mind, or there is nothing to choose from */
export async function pick(title: string, choices: readonly Choosable[]): Promise<string | null> {
  const { autocomplete, isCancel, select } = await import('@clack/prompts');
  if (choices.length === 0) return null;
  const options = choices.map(({ value, label, hint }) => ({ value, label, ...(hint ? { hint } : {}) }));
  const asked = { message: title, options, maxItems: 10 };
  const found = await (options.length > 10 ? autocomplete(asked) : select(asked));
  return isCancel(found) ? null : found;
}
