/** For the library: the runners that the user's configuration names. A host decides itself whose code runs in its process. */

import type { BrokenRunner } from '../contract/scan.js';
import type { Runner } from '../runner/runner.js';

/** The runners that a person's configuration names, and why some could not be loaded. */
export interface UserRunners {
  /** For `exec({ runners })` and `scan({ runners })`. */
  runners: Runner[];
  /** Those that were left out, and why. */
  broken: BrokenRunner[];
}

/** Loads the code that the configuration files of the user and of a folder name. Never throws. @param options.cwd ours when absent */
export async function configuredRunners(options: { cwd?: string } = {}): Promise<UserRunners> {
  const [{ configuredRunners: load }, { runners: builtin }, { thisMachine }] = await Promise.all([
    import('../registry/configured.js'),
    import('../registry/registry.js'),
    import('../discovery/places.js'),
  ]);
  return load(thisMachine(options), builtin);
}
