/** `--runtime auto`: the first runtime that is installed. */

import type { Runner } from '../runner/runner.js';
import { locateIn } from './locate.js';
import { isMissing } from './located.js';
import type { Places } from './places.js';
import { viewOf } from './view.js';

/**
 * Those the user prefers in the user's order, then the others in the order of `runners`. Built-in runtimes and ones that
 * can't be run are left out.
 * @param preferred ids or aliases; a name that nobody answers to is passed over
 */
export async function pickAuto(
  runners: readonly Runner[],
  places: Places,
  preferred: readonly string[],
): Promise<Runner | null> {
  const view = viewOf(places);
  const named = preferred.flatMap(
    (name) => runners.find((one) => one.id === name || one.aliases?.includes(name) === true) ?? [],
  );
  for (const runner of new Set([...named, ...runners])) {
    if (runner.builtin === true || runner.unsupported !== undefined) continue;
    if (!isMissing(await locateIn(view, runner))) return runner;
  }
  return null;
}
