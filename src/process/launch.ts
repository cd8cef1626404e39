/** Starts a runtime: readers in place before its first byte, in a session of its own, with a reaper behind us. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { LIMITS } from '../contract/limits.js';
import { lineSplitter } from '../text/lines.js';
import { intoBackground } from './background.js';
import { forgetProbes } from './confine/probe.js';
import { endInside, type WallStatus, wallStatus } from './confine/status.js';
import { exitWatch } from './exit-watch.js';
import { type EndOptions, treeOf } from './kill-tree.js';
import { explain, refuseEarly } from './launch-error.js';
import { type Reaper, startReaper } from './reaper.js';
import { openSpool, type Spool } from './stdout-spool.js';
import { suspendable } from './suspension.js';
import { jobLauncher, notStarted } from './windows/job-object.js';
import { startable } from './windows/startable.js';

export { LaunchError, type LaunchReason } from './launch-error.js';

export interface LaunchPlan {
  /** Program first. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** The complete environment; ours is not added. */
  env: Record<string, string>;
  /** `hold` and `end` are a pipe (who writes decides when it ends), `null` is /dev/null. */
  stdin: 'hold' | 'end' | 'null';
  stdout: 'pipe' | 'file';
  /** Where stdout goes with `file`: a path that does not exist yet, in a private folder. */
  stdoutFile?: string;
  /** In `env` already; finds what left the process group. */
  marker: { name: string; value: string };
  /** The turn's private folder: the reaper removes it when we are killed. */
  privateDir?: string;
  /** Builds walls around the program: bubblewrap's path, and its arguments up to the program. */
  wall?: { path: string; args: readonly string[] };
  /** It gives way to us. */
  background?: boolean;
}

export interface ProcessHandlers {
  /** A stdout line without LF, without one CR before it, without a BOM at the start of the stream. */
  line(text: string): void;
  /** A line over `LIMITS.nativeLine` was dropped up to its newline. */
  dropped(bytes: number): void;
  /** A line of stderr, cut at 1 MiB. */
  stderr(text: string): void;
  /** Stdout (a pipe) ended two seconds ago, and the process lives on. Comes at most once. */
  closed?(): void;
  /** Once, last: the process is gone and its output was read (at most 500 ms longer where a grandchild holds the pipe). */
  exit(code: number | null, signal: string | null): void;
}

export interface Running {
  readonly pid: number;
  /** Whether something written did not reach the program because it had closed its stdin. */
  readonly inputLost: boolean;
  /** Never throws. */
  write(text: string): void;
  endStdin(): void;
  /** Stops reading stdout, so that the program waits once the pipe is full. Until `resume` no exit is told either. */
  pause(): void;
  resume(): void;
  /** Ends the whole tree, also what outlived the leader; `now` (in a second call too) skips to KILL. */
  end(options?: EndOptions): Promise<{ survivors: number[] }>;
  /** Ends what the program started and lost; the program lives on. */
  tidy(): Promise<void>;
}

/** A line of stderr is cut there. */
const STDERR_LINE = 1024 * 1024;
/** A program that leaves may close its stdout a while before its exit. */
const LEAVING = 2000;

/**
 * Resolves once the program runs. No handler is called before that.
 * @throws {LaunchError} nothing was started
 */
export async function launch(plan: LaunchPlan, handlers: ProcessHandlers): Promise<Running> {
  const refusal = refuseEarly(plan);
  if (refusal) throw refusal;
  const job = jobLauncher();
  const argv = process.platform === 'win32' ? await startable(plan) : plan.argv;
  const out = lineSplitter({ max: LIMITS.nativeLine, onLine: handlers.line, onDropped: handlers.dropped });
  const err = lineSplitter({ max: STDERR_LINE, onLine: handlers.stderr, long: 'cut' });
  const spool = plan.stdout === 'file' ? await openSpool(plan.stdoutFile, out.push) : null;
  // Walls fall when we die, and everything inside with them.
  const reaper = plan.wall ? IDLE : startReaper(plan);
  const wall = plan.wall ? wallStatus() : null;

  let child: ChildProcess;
  try {
    const before = job === null ? [] : [job];
    const [program = '', ...args] = plan.wall ? walled(plan.wall.path, argv) : [...before, ...argv];
    child = spawn(program, args, spawnOptions(plan, spool));
    if (plan.background === true && child.pid !== undefined) intoBackground(child.pid);
    if (plan.wall && wall) tellWall(child, plan.wall.args, wall);
  } catch (error) {
    // Some causes come as an event (ENOENT), some are thrown (E2BIG).
    reaper.dismiss();
    await spool?.cancel();
    throw await explain(error, plan);
  }
  const { stdin, stdout, stderr } = child;
  let inputLost = false;
  let paused = false;
  stdin?.on('error', () => {
    inputLost = true;
  });
  stdout?.on('data', out.push);
  // Node resumes all pipes of a child that has exited.
  stdout?.on('resume', () => paused && stdout.pause());
  stderr?.on('data', err.push);
  let leaving: NodeJS.Timeout | undefined;
  let exited = false;
  child.once('exit', () => {
    exited = true;
    clearTimeout(leaving);
  });
  stdout?.once('end', () => {
    if (!exited) leaving = setTimeout(() => handlers.closed?.(), LEAVING).unref();
  });
  const watch = exitWatch({
    child,
    streams: [stdout, stderr].filter((stream) => stream !== null && stream !== undefined),
    isPaused: () => paused,
    async onExit(ended, by) {
      const [code, signal] = wall ? endInside(ended, by) : [ended, by];
      if (wall && !wall.ran() && code === 1) {
        forgetProbes();
        handlers.stderr('The confinement could not be built (--confine none).');
      }
      if (stdin && stdin.writableLength > 0) inputLost = true;
      stdin?.destroy();
      const unborn = job === null ? null : notStarted(code);
      if (unborn !== null) handlers.stderr(unborn);
      if (spool)
        await spool
          .finish()
          .catch((error: Error) => handlers.stderr(`stdout could not be read back: ${error.message}`));
      out.end();
      err.end();
      handlers.exit(code, signal);
    },
  });
  const pid = child.pid;
  if (pid !== undefined) reaper.watch(pid);
  const { marker } = plan;
  const tree =
    pid === undefined
      ? null
      : treeOf({ pid, marker, leader: child, inJob: job !== null, ...(wall ? { walled: wall.inner } : {}) });
  const failure = await watch.started;
  if (failure !== null || tree === null || pid === undefined) {
    reaper.dismiss();
    await spool?.cancel();
    throw await explain(failure, plan);
  }
  spool?.start();
  const ended = suspendable(tree);

  return {
    pid,
    get inputLost() {
      return inputLost;
    },
    write(text) {
      if (stdin?.writable) stdin.write(text);
      else inputLost = true;
    },
    endStdin() {
      stdin?.end();
    },
    pause() {
      paused = true;
      stdout?.pause();
      spool?.pause();
      watch.held();
    },
    resume() {
      paused = false;
      stdout?.resume();
      spool?.resume();
      watch.held();
    },
    tidy: tree.tidy,
    async end(options) {
      const { survivors } = await tree.end(options);
      if (survivors.length === 0) {
        tree.forget();
        ended();
        reaper.dismiss();
      }
      return { survivors };
    },
  };
}

const IDLE: Reaper = { watch: () => undefined, dismiss: () => undefined };
/** Descriptor on which bubblewrap tells what it does, and the one it reads its arguments from. */
export const STATUS_FD = 3;
const ARGS_FD = 4;

/** Its arguments come over a pipe: there may be thousands of them, and `ps` would show the paths to everybody. */
function walled(bwrap: string, argv: readonly string[]): string[] {
  return [bwrap, '--args', String(ARGS_FD), '--', ...argv];
}

function tellWall(child: ChildProcess, args: readonly string[], status: WallStatus): void {
  const [told, given] = [child.stdio[STATUS_FD], child.stdio[ARGS_FD]];
  told?.on('data', status.push).on('error', () => undefined);
  if (!(given instanceof Socket)) return;
  // Its exit tells what a broken pipe would.
  given.on('error', () => undefined);
  given.end(args.map((arg) => `${arg}\0`).join(''));
}

/** On Windows a detached process has no console, and then each of its children would open a window. */
function spawnOptions(plan: LaunchPlan, spool: Spool | null): SpawnOptions {
  return {
    cwd: plan.cwd,
    env: plan.env,
    stdio: [
      plan.stdin === 'null' ? 'ignore' : 'pipe',
      spool ? spool.output : 'pipe',
      'pipe',
      ...(plan.wall ? (['pipe', 'pipe'] as const) : []),
    ],
    detached: process.platform !== 'win32',
    windowsHide: true,
  };
}
