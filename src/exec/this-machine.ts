/** What a turn must know of this machine before anything is started. */

import { homedir } from 'node:os';
import { TurnoutError } from '../contract/error.js';
import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { toProgram } from '../discovery/program.js';
import { readVersion } from '../discovery/version.js';
import type { Machine, Program } from '../runner/machine.js';
import type { Runner } from '../runner/runner.js';
import type { refusedEvents } from '../turn/refusal.js';
import type { ExecOptions } from './exec-turn.js';

/** Why a turn is refused before its program runs. */
export class Refused extends Error {
  constructor(
    readonly code: Parameters<typeof refusedEvents>[0]['code'],
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export function placesOf(options: ExecOptions): Places {
  return {
    env: options.ambient,
    home: homedir(),
    platform: process.platform,
    cwd: options.request.cwd,
    turnout: options.turnout,
  };
}

/** Names of variables that say something: an empty one (`--env KEY=`) switches its key off. */
export function namesSet(env: NodeJS.ProcessEnv): Set<string> {
  return new Set(Object.keys(env).filter((name) => env[name]));
}

/** The places as the runtime will see them. */
export function seenBy(options: ExecOptions): Places {
  const env = { ...options.ambient, ...options.env };
  return { ...placesOf(options), env, home: env['HOME'] || homedir() };
}

/** @throws {Refused} missing-binary */
export async function find(runner: Runner, places: Places): Promise<{ program: Program; version: string | null }> {
  const located = await locate(runner, places);
  if (isMissing(located)) {
    const notes = located.notes.length > 0 ? ` (${located.notes.join('; ')})` : '';
    throw new Refused(
      'missing-binary',
      `${runner.title} is not installed${notes}. Install it: ${runner.installHint}`,
      runner.installHint,
    );
  }
  try {
    const [program, { version }] = await Promise.all([
      toProgram(runner, located, places),
      readVersion(runner, located),
    ]);
    return { program, version };
  } catch (error) {
    if (error instanceof TurnoutError && error.code === 'missing-binary') throw new Refused(error.code, error.message);
    throw error;
  }
}

export const isRoot = () => process.getuid?.() === 0;

export function platform(): Machine['platform'] {
  return process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';
}
