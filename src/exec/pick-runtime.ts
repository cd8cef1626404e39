/** From a `--runtime` value to a runner. */

import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { preferredRuntimes } from '../registry/config.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';

/** @returns null when nothing has that name, or `auto` finds nothing installed */
export async function pickRuntime(name: string, runners: readonly Runner[], places: Places): Promise<Runner | null> {
  if (name !== 'auto') return byId(name, runners);
  const preferred = await preferredRuntimes(places);
  const named = preferred.map((id) => byId(id, runners)).filter((runner) => runner !== null);
  for (const runner of [...named, ...runners]) {
    if (runner.builtin || runner.unsupported) continue;
    if (!isMissing(await locate(runner, places))) return runner;
  }
  return null;
}
