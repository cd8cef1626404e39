/** Where an installed turnout is: TURNOUT_BIN, PATH, `node_modules` of the host and above, well-known folders. */

import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { TurnoutError } from '../contract/error.js';
import { pathFor, pathKey } from '../discovery/child-path.js';
import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { toProgram } from '../discovery/program.js';
import type { Sought } from '../discovery/program-query.js';

export interface FoundProgram {
  /** Program first: what to spawn. */
  argv: readonly string[];
  /** Where it was found. */
  path: string;
  /** The environment with a PATH on which its Node is found: a desktop app's often lacks it. */
  env: NodeJS.ProcessEnv;
  /** The command that brings it up to date. */
  upgrade: string;
}

const INSTALL = 'npm install -g turnout';

/** `node_modules/.bin` of a folder and of all above it. */
function localRoots(from: string): string[] {
  const roots: string[] = [];
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    roots.push(join(folder, 'node_modules', '.bin', 'turnout'));
    if (dirname(folder) === folder) return roots;
  }
}

/** The program that was started, else the current folder. */
function hostFolder(): string {
  const script = process.argv[1];
  return script === undefined ? process.cwd() : dirname(resolve(script));
}

/**
 * @param options.bin a path or a name that wins over everything
 * @param options.from where the search for `node_modules` begins
 * @throws {TurnoutError} missing-binary, with where it was looked for and how to install it
 */
export async function findTurnout(options: {
  env: NodeJS.ProcessEnv;
  bin?: string;
  from?: string;
  /** For tests: a machine laid out otherwise. */
  places?: Partial<Places>;
}): Promise<FoundProgram> {
  const { bin, from = hostFolder() } = options;
  const env = bin === undefined ? options.env : { ...options.env, TURNOUT_BIN: bin };
  const sought: Sought = {
    id: 'turnout',
    bins: ['turnout'],
    binVariables: ['TURNOUT_BIN'],
    packages: ['turnout'],
    places: localRoots(from),
  };
  const home = homedir();
  // What the host asks for may stand in its own folder: no part of the disk is a stranger's here.
  const places: Places = { env, home, platform: process.platform, cwd: home, ...options.places };
  const located = await locate(sought, places);
  if (isMissing(located)) {
    const notes = located.notes.length > 0 ? ` (${located.notes.join('; ')})` : '';
    throw new TurnoutError(
      'missing-binary',
      `turnout was not found${notes}. Install it: ${INSTALL}. Or set TURNOUT_BIN to where it is.`,
      { hint: INSTALL },
    );
  }
  const program = await toProgram(sought, located, places);
  const isLocal = /[\\/]node_modules[\\/]\.bin[\\/]/.test(located.found);
  return {
    argv: [program.path, ...program.args],
    path: located.found,
    env: { ...env, [pathKey(env)]: pathFor(program, env) },
    upgrade: isLocal ? 'npm install turnout@latest' : `${INSTALL}@latest`,
  };
}
