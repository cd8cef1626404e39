/** From a plan to the end of the process: one turn over our stdio, for `agent exec` and for `run`. */

import { homedir } from 'node:os';
import { ERROR_CODES, UsageError } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import { execOverStdio, type StdioOptions, takesFrames } from '../exec/exec-stdio.js';
import { execTurn } from '../exec/exec-turn.js';
import { type KnownRunners, knownRunners } from '../exec/known-runners.js';
import { ownArgv } from '../exec/own-argv.js';
import type { RecordingFile } from '../exec/recording-file.js';
import { VERSION } from '../exec/version.js';
import type { ExecPlan } from '../request/from-argv.js';
import { runtimesOf } from '../request/runtimes.js';
import type { RecordedTurn } from '../runs/org/recorded-turn.js';
import { redact, secretValues } from '../text/redact.js';
import type { Turn } from '../turn/loop.js';
import { fail } from './failure.js';
import { quietConsole } from './quiet-console.js';

/** Long enough for a reader that is there; the four seconds of a cancelled turn are spent elsewhere. */
const STDERR_MS = 200;

/** Waits until stderr is taken, but not for a reader that stalls. */
function stderrFlushed(): Promise<void> {
  if (process.stderr.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, STDERR_MS);
    process.stderr.write('', () => resolve());
  });
}

/** @throws UsageError when the file can't be written */
async function openRecording(plan: ExecPlan, mask: (text: string) => string): Promise<RecordingFile | null> {
  if (plan.record === null) return null;
  const { recordingFile } = await import('../exec/recording-file.js');
  return recordingFile(plan.record, plan.limits, mask, (lost) => process.stderr.write(`turnout: ${lost}\n`));
}

/** What was left out is told on stderr. @throws UsageError when one of `--runner` does not work */
async function ownRunners({ runners: files, request }: ExecPlan, ambient: NodeJS.ProcessEnv): Promise<KnownRunners> {
  const places = { env: ambient, home: homedir(), platform: process.platform, cwd: request.cwd };
  quietConsole();
  const known = await knownRunners({ files, places, runtime: request.runtime });
  if (known.broken.length > 0) {
    const { brokenRunnerLines } = await import('../output/broken-runners.js');
    process.stderr.on('error', () => {});
    process.stderr.write(redact(brokenRunnerLines(known.broken), secretValues(ambient)));
  }
  return known;
}

/** @throws UsageError when the log of the org can't be opened */
async function openSeries(plan: ExecPlan, env: NodeJS.ProcessEnv, begin: typeof execTurn): Promise<RecordedTurn> {
  const [{ recordedTurn }, { StoreError }] = await Promise.all([
    import('../runs/org/recorded-turn.js'),
    import('../runs/store/store-error.js'),
  ]);
  const complain = (line: string) => process.stderr.write(`turnout: ${line}\n`);
  try {
    return await recordedTurn({ plan, begin, env, complain });
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(`--org: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Tells a usage error and ends the process. @param json whether a program reads it */
export async function refuse(error: UsageError, json: boolean): Promise<never> {
  await fail(error, json);
  process.exit(ERROR_CODES.usage.exit);
}

export interface RunOptions extends Pick<StdioOptions, 'writer' | 'onCancel' | 'adapt' | 'say'> {
  /** Whether usage errors are for programs. */
  json: boolean;
  /** Hears every event. */
  onEvent?(event: Event): void;
  /** Is given the turn once it begins. */
  attach?(turn: Turn): void;
}

/** On every path the process ends by itself with the right code. */
export async function runPlan(plan: ExecPlan, options: RunOptions): Promise<never> {
  const ambient = plan.claudePath === null ? process.env : { ...process.env, CLAUDE_CLI_BIN: plan.claudePath };
  const secrets = secretValues({ ...ambient, ...plan.env });
  const mask = (text: string) => redact(text, secrets);
  const refused = (error: unknown) => {
    if (error instanceof UsageError) return refuse(error, options.json);
    throw error;
  };
  const { runners } = await ownRunners(plan, ambient).catch(refused);
  const recording = await openRecording(plan, mask).catch(refused);
  const { writer, onCancel, onEvent, adapt, say } = options;
  const { isolate = 'none', runtime, workspace } = plan.request;
  const { quotaMs = 0 } = plan.limits;
  const plain = isolate === 'none' && workspace === undefined && quotaMs === 0 && runtimesOf(runtime).length === 1;
  const inner = plain ? null : (await import('../workspace/begin.js')).beginTurn;
  const recorded = plan.series ? await openSeries(plan, ambient, inner ?? execTurn).catch(refused) : null;
  const first = recorded?.begin ?? inner ?? execTurn;
  const begin: typeof execTurn = (asked) => {
    const turn = first(asked);
    options.attach?.(turn);
    return turn;
  };
  const code = await execOverStdio({
    ...recording?.hooks,
    runners,
    speed: plan.speed,
    request: plan.request,
    limits: plan.limits,
    env: plan.env,
    ambient,
    allowRoot: plan.allowRoot,
    turnout: ownArgv(),
    version: VERSION,
    framesOn: takesFrames(plan.request),
    stdinTaken: plan.stdinTaken,
    verboseNative: plan.verboseNative ? mask : null,
    ...(plan.refuse ? { refuse: plan.refuse } : {}),
    begin,
    ...(writer ? { writer } : {}),
    ...(onCancel ? { onCancel } : {}),
    ...(onEvent ? { onEvent } : {}),
    ...(adapt ? { adapt } : {}),
    ...(say ? { say } : {}),
  });
  recording?.close();
  await recorded?.close();
  await stderrFlushed();
  // stdin may be open still, and what holds it open is not ours to wait for.
  process.exit(code);
}
