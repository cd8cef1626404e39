/** All runners there are for a call: those named for it, the built-in ones, and those that configuration files name. */

import { UsageError } from '../contract/error.js';
import type { BrokenRunner } from '../contract/scan.js';
import type { ConfigPlaces } from '../registry/config.js';
import { runners as builtin, byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';

export interface KnownRunners {
  runners: readonly Runner[];
  broken: BrokenRunner[];
}

export interface Wanted {
  /** Modules named for this call (`--runner`); they may replace a built-in runtime. */
  files: readonly string[];
  /** Where the configuration is looked for. */
  places: ConfigPlaces;
  /** The only runtime that is asked for. The code of others is not loaded when it is one of ours. */
  runtime?: string;
  /** Whether a file that does not work is told like a configured one, not thrown. */
  lenient?: boolean;
}

/** @throws {UsageError} one of `files` can't be loaded, unless `lenient` */
export async function knownRunners(wanted: Wanted): Promise<KnownRunners> {
  const { files, places, runtime } = wanted;
  const broken: BrokenRunner[] = [];
  let runners: readonly Runner[] = builtin;
  if (files.length > 0) {
    const { loadRunner, withExternal } = await import('../registry/external.js');
    const own: Runner[] = [];
    for (const file of files) {
      try {
        own.push(await loadRunner(file));
      } catch (error) {
        if (!wanted.lenient || !(error instanceof UsageError)) throw error;
        const code = error.cause === undefined ? 'shape' : 'load';
        broken.push({ runner: file, from: '--runner', code, reason: error.message });
      }
    }
    runners = withExternal(own, runners);
  }
  if (runtime !== undefined && (runtime.startsWith('acp:') || byId(runtime, runners) !== null))
    return { runners, broken };
  const { configuredRunners } = await import('../registry/configured.js');
  const configured = await configuredRunners(places, runners);
  return { runners: [...runners, ...configured.runners], broken: [...broken, ...configured.broken] };
}
