/** From a `--runtime` value to a runner, and to where its program is looked for. */

import { resolve } from 'node:path';
import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { preferredRuntimes } from '../registry/config.js';
import { byId, customAgent } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { literalWords } from '../turn/shell-words.js';

export interface Picked {
  runner: Runner;
  places: Places;
}

const CUSTOM = 'acp:';

/** `acp:<command line>`: split into words as a shell would, but no shell runs it. Null when it is no plain command. */
function pickCustom(line: string, places: Places): Picked | null {
  const [program, ...rest] = literalWords(places.platform === 'win32' ? line.replaceAll('\\', '\\\\') : line) ?? [];
  if (program === undefined) return null;
  const runner = customAgent([program, ...rest]);
  if (!/[\\/]/.test(program)) return { runner, places };
  return { runner, places: { ...places, env: { ...places.env, ACP_CLI_BIN: resolve(places.cwd, program) } } };
}

/** @returns null when nothing has that name, or `auto` finds nothing installed */
export async function pickRuntime(name: string, runners: readonly Runner[], places: Places): Promise<Picked | null> {
  if (name.startsWith(CUSTOM)) return pickCustom(name.slice(CUSTOM.length), places);
  if (name !== 'auto') {
    const runner = byId(name, runners);
    return runner && { runner, places };
  }
  const preferred = await preferredRuntimes(places);
  const named = preferred.map((id) => byId(id, runners)).filter((runner) => runner !== null);
  for (const runner of [...named, ...runners]) {
    if (runner.builtin || runner.unsupported) continue;
    if (!isMissing(await locate(runner, places))) return { runner, places };
  }
  return null;
}
