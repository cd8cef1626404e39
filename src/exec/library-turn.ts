/** A turn of the library: its options become one turn in the caller's own process. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TurnoutError } from '../contract/error.js';
import { latePort } from '../host/late-port.js';
import { toolDefinitions } from '../host/tools.js';
import { hostTurn, type Listener, type Port, type Turn } from '../host/turn.js';
import { adoptAll, withExternal } from '../registry/external.js';
import { runners as builtin } from '../registry/registry.js';
import { checkAnswerSchema } from '../request/answer-schema.js';
import { planOptions } from '../request/from-options.js';
import { place } from '../request/place.js';
import { asOptions } from '../request/spelling.js';
import { redact, secretValues } from '../text/redact.js';
import type { Turn as TurnHandle } from '../turn/loop.js';
import type { ExecOptions } from './exec-turn.js';
import type { LibraryOptions } from './library.js';
import { ownArgv } from './own-argv.js';
import { recordingFile } from './recording-file.js';
import { VERSION } from './version.js';

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
 * The library's `exec` over a way to begin turns.
 * @throws {UsageError} an option that can't be meant
 */
export function execBy<Schemas = Record<string, never>>(
  options: LibraryOptions<Schemas>,
  beginTurn: (options: ExecOptions) => TurnHandle,
): Turn {
  const { tools = {}, runners = [], ...rest } = options as LibraryOptions;
  const definitions = toolDefinitions(tools);
  const { request, limits, env, allowRoot, refuse } = planOptions({ ...rest, tools }, definitions, process.env);
  const turnout = ownProgram();
  const all = withExternal(adoptAll(runners), builtin);
  const secrets = secretValues({ ...process.env, ...env });
  const lost = (message: string) => queueMicrotask(() => running?.notice('recording-failed', message));
  const recording =
    rest.record === undefined
      ? null
      : recordingFile(resolve(rest.record), limits, (text) => redact(text, secrets), lost);
  let running: TurnHandle | null = null;
  const begin = (listener: Listener): Port => {
    const turn = beginTurn({
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
