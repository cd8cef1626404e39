/** `turnout acp --setup`: the runtime's own login, in the terminal that a client opens for it. */

import { homedir } from 'node:os';
import { execa } from 'execa';
import { pathFor, pathKey } from '../../discovery/child-path.js';
import { locate } from '../../discovery/locate.js';
import { isMissing } from '../../discovery/located.js';
import type { Places } from '../../discovery/places.js';
import { toProgram } from '../../discovery/program.js';
import { pickRuntime } from '../../exec/pick-runtime.js';
import { commandOf } from '../../process/system-program.js';
import { runners } from '../../registry/registry.js';
import type { Runner } from '../../runner/runner.js';
import { literalWords } from '../../turn/shell-words.js';

export interface LoginOptions {
  runtime: string;
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  /** Whether a person can type; else the command is only told. */
  terminal: boolean;
  say(text: string): void;
}

/** The arguments of a login command of the runtime's own program; null where it is something else to type. */
function argsOf(runner: Runner): string[] | null {
  const [program = '', ...args] = literalWords(runner.loginHint ?? '') ?? [];
  return runner.bins.includes(program) ? args : null;
}

/** @throws {Error} it can't be started */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const ended = await execa(commandOf(program, env), args, { stdio: 'inherit', env, extendEnv: false, reject: false });
  if (ended.cause !== undefined && ended.exitCode === undefined && ended.signal === undefined) throw ended.cause;
  return ended.exitCode ?? 1;
}

/** @returns the exit code: 0 when the login succeeded, or when there is none to do */
export async function login(options: LoginOptions): Promise<number> {
  const { env, turnout, say } = options;
  const places: Places = { env, home: homedir(), platform: process.platform, cwd: process.cwd(), turnout };
  const picked = await pickRuntime(options.runtime, runners, places);
  if (!picked) {
    say('No agent program was found; `turnout agent scan` tells how to install one.');
    return 1;
  }
  const { runner } = picked;
  if (runner.loginHint === null) {
    say(`${runner.title} needs no login.`);
    return 0;
  }
  const located = await locate(runner, picked.places);
  if (isMissing(located)) {
    say(`${runner.title} is not installed. Install it: ${runner.installHint}`);
    return 1;
  }
  const args = argsOf(runner);
  say(`To log in to ${runner.title}: ${runner.loginHint}`);
  if (args === null || !options.terminal) return args === null ? 1 : 0;
  const program = await toProgram(runner, located, picked.places);
  return run(program.path, [...program.args, ...args], { ...env, [pathKey(env)]: pathFor(program, env) });
}
