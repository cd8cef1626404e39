/** The library: turns in the caller's own process, with the same events as `turnout agent exec`. */

import type { Scan } from '../contract/scan.js';
import { thisMachine } from '../discovery/places.js';
import { scan as scanRunners } from '../discovery/scan.js';
import type { TurnOptions } from '../host/options.js';
import { adoptAll, withExternal } from '../registry/external.js';
import { runners as builtin } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { ownArgv } from './own-argv.js';

/** Options of `exec`: those of every turn, and what only the same process can give. */
export interface LibraryOptions<Schemas = Record<string, unknown>> extends TurnOptions<Schemas> {
  /** Runners of yours, before ours; one with the id of ours takes its place. `configuredRunners()` loads those of the user. */
  runners?: readonly Runner[];
}

/** Which runtimes are on this machine and what each can do. Starts nothing but with `probe`. */
export async function scan(
  options: { probe?: boolean; all?: boolean; installed?: boolean; cwd?: string; runners?: readonly Runner[] } = {},
): Promise<Scan> {
  const { cwd, runners = [], ...wanted } = options;
  const places = thisMachine({ turnout: ownArgv(), ...(cwd === undefined ? {} : { cwd }) });
  return scanRunners(withExternal(adoptAll(runners), builtin), { places, ...wanted });
}
