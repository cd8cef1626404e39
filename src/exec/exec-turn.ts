/** One turn on this machine: finds the runtime, asks its runner how to start it, and runs it to its end. */

import { homedir } from 'node:os';
import type { Event, StartEvent } from '../contract/event.js';
import { pathFor, pathKey } from '../discovery/child-path.js';
import { credentialOf } from '../discovery/credential.js';
import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { toProgram } from '../discovery/program.js';
import { readVersion } from '../discovery/version.js';
import { freshUuid, randomHex } from '../process/random.js';
import { realFolder } from '../process/real-folder.js';
import { type PrivateDir, privateDir } from '../process/temp-files.js';
import { runners as builtin, nearest } from '../registry/registry.js';
import { runtimeValueFault } from '../runner/caller-values.js';
import { faultMessage, RunnerFault } from '../runner/fault.js';
import type { Machine, Program } from '../runner/machine.js';
import { type TurnRequest, writesUnasked } from '../runner/request.js';
import { isRefusal, type Runner } from '../runner/runner.js';
import { redact, secretValues } from '../text/redact.js';
import type { OpenBridge } from '../tools/mcp-bridge.js';
import { admit } from '../turn/admission.js';
import { runTurn, type Turn, type TurnLimits } from '../turn/loop.js';
import { realWorld } from '../turn/real-world.js';
import { refusedEvents } from '../turn/refusal.js';
import { answering } from '../turn/structured.js';
import type { Tap } from '../turn/world.js';
import { audited } from './audit.js';
import { withImageFiles } from './image-files.js';
import { foreignKeys } from './other-vendors-keys.js';
import { pickRuntime } from './pick-runtime.js';
import { turnTools } from './prepare-tools.js';
import { inRepository } from './repository.js';
import { unfitPlace } from './unfit-place.js';

export interface ExecOptions {
  request: TurnRequest;
  limits: TurnLimits;
  /** What the caller gave with `--env` and `--env-file`. */
  env: Readonly<Record<string, string>>;
  ambient: NodeJS.ProcessEnv;
  allowRoot: boolean;
  /** The argv that starts turnout itself. */
  turnout: readonly string[];
  /** Our own version. */
  version: string;
  runners?: readonly Runner[];
  /** The id of a new session, for runtimes that take one; a fresh one when absent. */
  session?: string;
  /** What is asked of the runtime that was picked, where that is not the request itself. */
  adapt?(request: TurnRequest, runner: Runner): TurnRequest;
  /** A refusal that was found before, e.g. a missing working directory with full access. */
  refuse?: { code: 'unsafe'; message: string };
  emit(event: Event): void;
  tap?: Tap;
  /** Told what is about to be started, for a recording: the request as it was asked for, with the runtime's own id. */
  began?(request: TurnRequest, machine: Machine): void;
  /** How fast `--runtime replay:FILE` plays. */
  speed?: 'original' | 'max';
}

class Refused extends Error {
  constructor(
    readonly code: Parameters<typeof refusedEvents>[0]['code'],
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/**
 * Begins a turn. What is sent to it before its program runs is kept and delivered then.
 * @returns its handle; `done` never rejects, since every failure is an event
 */
export function execTurn(options: ExecOptions): Turn {
  let turn: Turn | null = null;
  let cancelled = false;
  const early: ((turn: Turn) => void)[] = [];
  const later = (run: (turn: Turn) => void) => {
    if (turn) run(turn);
    else early.push(run);
  };
  const started = (one: Turn) => {
    turn = one;
    for (const run of early) run(one);
  };
  return {
    frame(frame) {
      if (frame.type === 'cancel') cancelled = true;
      later((one) => one.frame(frame));
    },
    badFrame: (message, id) => later((one) => one.badFrame(message, id)),
    stdinClosed: () => later((one) => one.stdinClosed()),
    cancel() {
      cancelled = true;
      later((one) => one.cancel());
    },
    notice: (message) => later((one) => one.notice(message)),
    fault: (message) => later((one) => one.fault(message)),
    pause: () => later((one) => one.pause()),
    resume: () => later((one) => one.resume()),
    done: options.request.runtime.startsWith('replay:')
      ? import('./play-turn.js').then(({ playTurn }) => playTurn(options, started, () => cancelled))
      : run(options, started, () => cancelled),
  };
}

async function run(options: ExecOptions, started: (turn: Turn) => void, cancelled: () => boolean): Promise<number> {
  const request = { ...options.request, cwd: realFolder(options.request.cwd) };
  const dirs: PrivateDir[] = [];
  let dir: Promise<PrivateDir> | null = null;
  const ownDir = () => {
    dir ??= privateDir().then((made) => {
      dirs.push(made);
      return made;
    });
    return dir;
  };
  let bridge: OpenBridge | null = null;
  let runtime = request.runtime;
  /** What `start` can say of a runtime that is refused. */
  const known: Partial<StartEvent> = {};
  const secrets = secretValues({ ...options.ambient, ...options.env });
  const mask = (text: string) => redact(text, secrets);
  try {
    if (options.refuse) throw new Refused(options.refuse.code, options.refuse.message);
    const picked = await pickRuntime(request.runtime, options.runners ?? builtin, placesOf(options));
    if (!picked) {
      if (request.runtime === 'auto')
        throw new Refused(
          'missing-binary',
          'No agent program was found. Install one, e.g. npm install -g @anthropic-ai/claude-code',
          'npm install -g @anthropic-ai/claude-code',
        );
      const near = nearest(request.runtime, options.runners ?? builtin);
      const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
      throw new Refused(
        'no-runner',
        `There is no runtime called ${request.runtime}.${hint} \`turnout agent scan --all\` lists them.`,
        near[0],
      );
    }
    const { runner, places } = picked;
    runtime = runner.id;
    known.streams_incrementally = runner.streamsIncrementally;
    const wanted = options.adapt?.(request, runner) ?? request;
    const admitted = admit(runner, wanted, { root: isRoot(), allowRoot: options.allowRoot });
    if (admitted.refuse !== undefined) throw new Refused(admitted.refuse, admitted.message, admitted.hint);
    const unfitValue = runtimeValueFault(runner, request);
    if (unfitValue !== null) throw new Refused('unsupported', unfitValue);
    const { program, version } = await find(runner, places);
    known.runtime_version = version;
    const turnId = freshUuid();
    const base: Machine = {
      program: { ...program, version },
      platform: platform(),
      uid0: isRoot(),
      home: homedir(),
      inRepository: inRepository(request.cwd),
      envNames: namesSet({ ...options.ambient, ...options.env }),
      credential: await credentialOf(runner, seenBy(options)),
      turnout: options.turnout,
      ids: { session: options.session ?? freshUuid(), turn: turnId, nonce: randomHex(6) },
      mcpBridge: null,
    };
    const writes = writesUnasked(admitted.request);
    const unfit = writes ? unfitPlace(request.cwd, base) : null;
    if (unfit !== null) throw new Refused('unsafe', unfit);
    const notices = [...admitted.notices];
    let running: Turn | null = null;
    const tools = await turnTools({
      runner,
      request: admitted.request,
      machine: base,
      version: options.version,
      privateDir: ownDir,
      ...(options.tap
        ? { heard: (channel, message) => options.tap?.({ k: 'mcp', dir: 'from-agent', channel, message }) }
        : {}),
      notice: (message) => (running ? running.notice(message) : notices.push({ message })),
    });
    if (tools.refuse) throw new Refused('unsupported', tools.refuse);
    bridge = tools.bridge;
    const machine: Machine = { ...base, mcpBridge: tools.mcpBridge };
    const asked = await withImageFiles({ ...admitted.request, tools: tools.offered }, ownDir);
    const answer = await answering(runner, asked, machine).catch((error: Error) => {
      if (asked.outputSchema === null || error instanceof RunnerFault) throw error;
      throw new Refused('unsupported', `the output schema can't be used: ${error.message}`);
    });
    const invocation = runner.invoke(answer.request, machine);
    if (isRefusal(invocation)) throw new Refused(invocation.refuse, invocation.message, invocation.hint);
    if (cancelled()) throw new Refused('cancelled', 'The turn was cancelled before it started.');
    options.began?.({ ...wanted, runtime: runner.id }, machine);
    running = runTurn({
      runner,
      admitted: { ...admitted, request: asked },
      machine,
      invocation,
      conversation: answer.conversation,
      limits: options.limits,
      world: realWorld({
        runner,
        cwd: request.cwd,
        turnId,
        writes,
        nesting: (options.runners ?? builtin).flatMap((one) => one.nesting),
        ambient: options.ambient,
        foreignKeys: foreignKeys(runner, options.runners ?? builtin),
        explicit: options.env,
        set: { [pathKey(places.env)]: pathFor(program, { ...options.ambient, ...options.env }) },
        privateDir: ownDir,
        madeDir: () => dirs[0] ?? null,
        ...(options.tap ? { tap: options.tap } : {}),
      }),
      tools: tools.tools,
      emit:
        request.access === 'full'
          ? audited(options.emit, { runtime: runner.id, cwd: request.cwd }, options.ambient)
          : options.emit,
      ...(options.tap ? { tap: options.tap } : {}),
      mask,
      notices,
    });
    started(running);
    return await running.done;
  } catch (error) {
    const refused = error instanceof Refused ? error : null;
    const refusal = {
      runtime,
      cwd: request.cwd,
      access: request.access,
      model: request.model,
      resume: request.resume,
      code: refused?.code ?? 'runner-error',
      message: mask(refused?.message ?? faultMessage(error)),
      ...(refused?.hint === undefined ? {} : { hint: refused.hint }),
    };
    let exit = 1;
    for (const event of refusedEvents(refusal, known)) {
      options.emit(event);
      if (event.type === 'done') exit = event.exit_code;
    }
    return exit;
  } finally {
    await bridge?.close();
    for (const made of dirs) await made.remove();
  }
}

function placesOf(options: ExecOptions): Places {
  return {
    env: options.ambient,
    home: homedir(),
    platform: process.platform,
    cwd: options.request.cwd,
    turnout: options.turnout,
  };
}

/** Names of variables that say something: an empty one (`--env KEY=`) switches its key off. */
function namesSet(env: NodeJS.ProcessEnv): Set<string> {
  return new Set(Object.keys(env).filter((name) => env[name]));
}

/** The places as the runtime will see them. */
function seenBy(options: ExecOptions): Places {
  const env = { ...options.ambient, ...options.env };
  return { ...placesOf(options), env, home: env['HOME'] || homedir() };
}

async function find(runner: Runner, places: Places): Promise<{ program: Program; version: string | null }> {
  const located = await locate(runner, places);
  if (isMissing(located)) {
    const notes = located.notes.length > 0 ? ` (${located.notes.join('; ')})` : '';
    throw new Refused(
      'missing-binary',
      `${runner.title} is not installed${notes}. Install it: ${runner.installHint}`,
      runner.installHint,
    );
  }
  const [program, { version }] = await Promise.all([toProgram(runner, located, places), readVersion(runner, located)]);
  return { program, version };
}

const isRoot = () => process.getuid?.() === 0;

function platform(): Machine['platform'] {
  return process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';
}
