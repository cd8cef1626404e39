/** The variables with which a user says where a runtime's program is. */

import type { Runner } from '../runner/runner.js';
import type { Places } from './places.js';
import { expandHome, pathsOf, variable } from './places.js';

export interface Override {
  /** The variable that was set. */
  name: string;
  value: string;
  /** Absolute, when the value is a path; null for a bare name, which is looked up on PATH. */
  path: string | null;
}

/** Names of the variables that count for a runtime: `<ID>_CLI_BIN`, then the runner's own. */
export function overrideNames(runner: Pick<Runner, 'id' | 'binVariables'>): string[] {
  const common = `${runner.id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_CLI_BIN`;
  return [...new Set([common, ...(runner.binVariables ?? [])])];
}

/** The first of them that is set. A relative path means the folder we were started in, never the turn's folder. */
export function overrideOf(runner: Pick<Runner, 'id' | 'binVariables'>, places: Places): Override | null {
  for (const name of overrideNames(runner)) {
    const value = variable(places, name);
    if (value === null) continue;
    const isPath = value.includes('/') || (places.platform === 'win32' && value.includes('\\'));
    return { name, value, path: isPath ? pathsOf(places.platform).resolve(expandHome(value, places)) : null };
  }
  return null;
}
