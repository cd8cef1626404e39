/** The library: turns in the caller's own process, with the same events as `turnout agent exec`. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TurnoutError } from '../contract/error.js';
import type { Scan } from '../contract/scan.js';
import { thisMachine } from '../discovery/places.js';
import { scan as scanRunners } from '../discovery/scan.js';
import { latePort } from '../host/late-port.js';
import type { TurnOptions } from '../host/options.js';
import { toolDefinitions } from '../host/tools.js';
import { hostTurn, type Listener, type Port, type Turn } from '../host/turn.js';
import { adoptAll, withExternal } from '../registry/external.js';
import { runners as builtin } from '../registry/registry.js';
import { checkAnswerSchema } from '../request/answer-schema.js';
import { planOptions } from '../request/from-options.js';
import { place } from '../request/place.js';
import { asOptions } from '../request/spelling.js';
import type { Runner } from '../runner/runner.js';
import { redact, secretValues } from '../text/redact.js';
import type { Turn as TurnHandle } from '../turn/loop.js';
import { execTurn } from './exec-turn.js';
import { ownArgv } from './own-argv.js';
import { recordingFile } from './recording-file.js';
import { VERSION } from './version.js';

/** Options of `exec`: those of every turn, and what only the same process can give. */
export interface LibraryOptions<Schemas = Record<string, unknown>> extends TurnOptions<Schemas> {
  /** Runners of yours, before ours; one with the id of ours takes its place. `configuredRunners()` loads those of the user. */
  runners?: readonly Runner[];
}

/**
 * Where our own program is: the demo runtime and the MCP server of caller tools are started from it.
 * @throws {TurnoutError} missing-binary: a bundler has swallowed us
 */
function ownProgram(): string[] {
  const argv = ownArgv();
  const script = argv.at(-1);
  if (script !== undefined && existsSync(script)) return argv;
  throw new TurnoutError(
    'missing-binary',
    `turnout's own program was not found at ${script}. A bundler must leave the package "turnout" outside (external).`,
  );
}

/**
 * Begins a turn. What is wrong with the options is thrown here, and a schema that does not compile where the events or
 * the result are read. Whatever happens later is said by events.
 * @throws {UsageError} an option that can't be meant
 */
export function exec<Schemas = Record<string, never>>(options: LibraryOptions<Schemas>): Turn {
  const { tools = {}, runners = [], ...rest } = options as LibraryOptions;
  const definitions = toolDefinitions(tools);
  const { request, limits, env, allowRoot, refuse } = planOptions({ ...rest, tools }, definitions, process.env);
  const turnout = ownProgram();
  const all = withExternal(adoptAll(runners), builtin);
  const secrets = secretValues({ ...process.env, ...env });
  const lost = (message: string) => queueMicrotask(() => running?.notice(message));
  const recording =
    rest.record === undefined
      ? null
      : recordingFile(resolve(rest.record), limits, (text) => redact(text, secrets), lost);
  let running: TurnHandle | null = null;
  const begin = (listener: Listener): Port => {
    const turn = execTurn({
      ...recording?.hooks,
      request,
      limits,
      ...(refuse ? { refuse } : {}),
      env,
      ...(rest.speed ? { speed: rest.speed } : {}),
      ambient: process.env,
      allowRoot,
      turnout,
      version: VERSION,
      runners: all,
      emit: listener.event,
    });
    running = turn;
    void turn.done.then(() => recording?.close());
    return { send: turn.frame, cancel: turn.cancel, pause: turn.pause, resume: turn.resume };
  };
  const { outputSchema } = request;
  return hostTurn({ ...rest, tools }, (listener) => {
    if (outputSchema === null) return begin(listener);
    const check = checkAnswerSchema(outputSchema, place(asOptions, ['outputSchema']));
    return latePort(check, () => begin(listener), listener.failed);
  });
}

/** Which runtimes are on this machine and what each can do. Starts nothing but with `probe`. */
export async function scan(
  options: { probe?: boolean; all?: boolean; installed?: boolean; cwd?: string; runners?: readonly Runner[] } = {},
): Promise<Scan> {
  const { cwd, runners = [], ...wanted } = options;
  const places = thisMachine({ turnout: ownArgv(), ...(cwd === undefined ? {} : { cwd }) });
  return scanRunners(withExternal(adoptAll(runners), builtin), { places, ...wanted });
}
