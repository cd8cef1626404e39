/** One turn on this machine: finds the runtime, asks its runner how to start it, and runs it to its end. */

import { homedir } from 'node:os';
import type { Event, StartEvent } from '../contract/event.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { pathFor, pathKey } from '../discovery/child-path.js';
import { credentialOf } from '../discovery/credential.js';
import { freshUuid, randomHex } from '../process/random.js';
import { realFolder } from '../process/real-folder.js';
import { type PrivateDir, privateDir } from '../process/temp-files.js';
import { runners as builtin } from '../registry/registry.js';
import type { Outcome } from '../runner/action.js';
import { runtimeValueFault } from '../runner/caller-values.js';
import { faultMessage, RunnerFault } from '../runner/fault.js';
import type { Machine } from '../runner/machine.js';
import { type TurnRequest, writesUnasked } from '../runner/request.js';
import { isRefusal, type Runner } from '../runner/runner.js';
import { redact, secretValues } from '../text/redact.js';
import type { OpenBridge } from '../tools/mcp-bridge.js';
import { nativeRequest } from '../turn/admission.js';
import { runTurn, type Turn, type TurnLimits } from '../turn/loop.js';
import { realWorld } from '../turn/real-world.js';
import { refusedEvents } from '../turn/refusal.js';
import { answering } from '../turn/structured.js';
import type { TurnWall } from '../turn/wall.js';
import type { Tap } from '../turn/world.js';
import { audited } from './audit.js';
import type { Broker } from './broker/open.js';
import { admitWalled } from './confine/raise.js';
import { withImageFiles } from './image-files.js';
import { digestOf, type Keeper, keepable, type Living } from './keeper.js';
import { laterTurn } from './later-turn.js';
import { nonePicked } from './none-picked.js';
import { foreignKeys } from './other-vendors-keys.js';
import { pickRuntime } from './pick-runtime.js';
import { policyOf } from './policy/of-turn.js';
import { type PreparedTools, turnTools } from './prepare-tools.js';
import { inRepository } from './repository.js';
import { find, isRoot, namesSet, placesOf, platform, Refused, seenBy } from './this-machine.js';
import { unfitPlace } from './unfit-place.js';
import { endQuietly, orAgain, warmWorld } from './warm-world.js';

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
  /** Keeps programs between the turns of a session; without it each ends with its turn. */
  keeper?: Keeper;
  /** The program gives way to us: for servers. */
  background?: boolean;
}

/**
 * Begins a turn. What is sent to it before its program runs is kept and delivered then.
 * @returns its handle; `done` never rejects, since every failure is an event
 */
export function execTurn(options: ExecOptions): Turn {
  return laterTurn(({ started, cancelledAt }) => {
    const cancelled = () => cancelledAt() !== null;
    return options.request.runtime.startsWith('replay:')
      ? import('./play-turn.js').then(({ playTurn }) => playTurn(options, started, cancelled))
      : run(options, started, cancelled);
  });
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
  let broker: Broker | null = null;
  /** What this turn was handed, until its program is given on. */
  let living: Living | null = null;
  let kept = false;
  let begun = false;
  const leave = async () => {
    await bridge?.close();
    await broker?.close();
    wall?.close();
    for (const made of dirs) await made.remove();
  };
  let wall: TurnWall | null = null;
  let runtime = request.runtime;
  /** What `start` can say of a runtime that is refused. */
  const known: Partial<StartEvent> = {};
  const secrets = secretValues({ ...options.ambient, ...options.env });
  const mask = (text: string) => redact(text, secrets);
  try {
    if (options.refuse) throw new Refused(options.refuse.code, options.refuse.message);
    const picked = await pickRuntime(request.runtime, options.runners ?? builtin, placesOf(options));
    if (!picked) throw nonePicked(request.runtime, options.runners ?? builtin);
    const { runner, places } = picked;
    runtime = runner.id;
    known.streams_incrementally = runner.streamsIncrementally;
    const wanted = options.adapt?.(request, runner) ?? request;
    const seen = seenBy(options);
    const walled = await admitWalled({
      runner,
      request: wanted,
      root: isRoot(),
      allowRoot: options.allowRoot,
      env: seen.env,
      home: seen.home,
      runners: options.runners ?? builtin,
      privateDir: ownDir,
    });
    const unfitValue = runtimeValueFault(runner, request);
    if (unfitValue !== null) throw new Refused('unsupported', unfitValue);
    const { program, version } = await find(runner, places);
    known.runtime_version = version;
    const turnId = freshUuid();
    const unwalled: Machine = {
      program: { ...program, version },
      platform: platform(),
      uid0: isRoot(),
      home: homedir(),
      inRepository: inRepository(request.cwd),
      envNames: namesSet({ ...options.ambient, ...options.env }),
      credential: await credentialOf(runner, seen),
      turnout: options.turnout,
      ids: { session: options.session ?? freshUuid(), turn: turnId, nonce: randomHex(6) },
      mcpBridge: null,
    };
    const writes = writesUnasked(walled.admitted.request);
    const unfit = writes ? unfitPlace(request.cwd, unwalled) : null;
    if (unfit !== null) throw new Refused('unsafe', unfit);
    const raised = await walled.raise?.(unwalled);
    const admitted = raised?.admitted ?? walled.admitted;
    wall = raised?.wall ?? null;
    const base: Machine = wall === null ? unwalled : { ...unwalled, confined: 'bwrap' };
    let running: Turn | null = null;
    const policy = await policyOf(admitted, runner, {
      ...{ env: options.ambient, turn: turnId, mask },
      notice: (message) => running?.notice('audit-failed', message),
    });
    const notices = [...admitted.notices];
    const { keeper } = options;
    const warms = keeper !== undefined && keepable(runner, admitted.request, base);
    const digest = warms ? digestOf(runner, admitted.request, base, { ...options.ambient, ...options.env }) : '';
    const { resume } = request;
    if (keeper && resume !== null) living = await keeper.take({ runtime: runner.id, session: resume, digest });
    const heardBy: Living['heardBy'] = living?.heardBy ?? {};
    const prepare = (): Promise<PreparedTools> =>
      turnTools({
        runner,
        request: admitted.request,
        machine: base,
        version: options.version,
        privateDir: ownDir,
        heard: (channel, message) => heardBy.tap?.({ k: 'mcp', dir: 'from-agent', channel, message }),
        notice: (code, message) => (running ? running.notice(code, message) : notices.push({ code, message })),
      });
    heardBy.tap = options.tap;
    const tools = living?.tools ?? (await prepare());
    if (tools.refuse) throw new Refused('unsupported', tools.refuse);
    bridge = tools.bridge;
    const machine: Machine = { ...base, mcpBridge: tools.mcpBridge };
    const asked = await withImageFiles({ ...admitted.request, tools: tools.offered }, ownDir);
    const answer = await answering(runner, nativeRequest(admitted, asked), machine, living?.state).catch(
      (error: Error) => {
        if (asked.outputSchema === null || error instanceof RunnerFault) throw error;
        throw new Refused('unsupported', `the output schema can't be used: ${error.message}`);
      },
    );
    const invocation = runner.invoke(answer.request, machine);
    if (isRefusal(invocation)) throw new Refused(invocation.refuse, invocation.message, invocation.hint);
    if (cancelled()) throw new Refused('cancelled', 'The turn was cancelled before it started.');
    options.began?.({ ...wanted, runtime: runner.id }, machine);
    if (request.broker) {
      const { openBroker } = await import('./broker/open.js');
      const opened = await openBroker(runner, request, { ...options.ambient, ...options.env });
      if ('refuse' in opened) throw new Refused('unsupported', opened.refuse);
      broker = opened;
    }
    const real = realWorld({
      runner,
      cwd: request.cwd,
      turnId,
      writes,
      nesting: (options.runners ?? builtin).flatMap((one) => one.nesting),
      ambient: broker?.without(options.ambient) ?? options.ambient,
      foreignKeys: foreignKeys(runner, options.runners ?? builtin),
      explicit: broker?.without(options.env) ?? options.env,
      set: { ...broker?.set, [pathKey(places.env)]: pathFor(program, { ...options.ambient, ...options.env }) },
      privateDir: ownDir,
      madeDir: () => dirs[0] ?? null,
      wall,
      background: options.background === true,
      notice: (code, message) => running?.notice(code, message),
      ...(options.tap ? { tap: options.tap } : {}),
    });
    const { world, first } = warmWorld(real, living);
    let session = resume;
    const emit = (event: Event) => {
      if (event.type === 'session') session = event.session_id;
      options.emit(event);
    };
    const before = living;
    const conversation = before ? orAgain(answer.conversation, runner, answer.request, machine) : answer.conversation;
    const keep = (state: JsonObject, outcome: Outcome | null): Promise<void> | null => {
      const program = first();
      // A login that failed is read anew; what broke is not trusted again.
      const unfit = outcome?.ok === false && (outcome.code === 'auth' || outcome.code === 'runner-error');
      if (!keeper || !program || session === null || unfit) return null;
      const next: Living = {
        runtime: runner.id,
        session,
        digest,
        ...program,
        conversation: answer.conversation,
        state,
        tools,
        heardBy,
        turns: (before?.turns ?? 0) + 1,
        dispose: before?.dispose ?? leave,
      };
      kept = keeper.keep(next);
      return kept ? program.child.tidy() : null;
    };
    begun = true;
    running = runTurn({
      runner,
      admitted: { ...admitted, request: asked },
      machine,
      invocation,
      conversation,
      limits: options.limits,
      world,
      living: living?.state,
      ...(warms ? { keep } : {}),
      tools: tools.tools,
      policy,
      wire: broker?.wire,
      emit: request.access === 'full' ? audited(emit, { runtime: runner.id, cwd: request.cwd }, options.ambient) : emit,
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
    // Of a turn on a program that was kept, only pictures are its own.
    if (living) await leave();
    if (!kept) {
      // Refused at the last moment: nobody else holds what was handed over.
      if (living && !begun) await endQuietly(living.child);
      await (living?.dispose ?? leave)();
    }
  }
}
