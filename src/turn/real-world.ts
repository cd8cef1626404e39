/** The world a real turn runs in: processes, files, the clock. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { TurnoutError } from '../contract/error.js';
import type { NoticeCode } from '../contract/vocabulary.js';
import { childEnv, MARKER } from '../process/child-env.js';
import { confinedEnv } from '../process/confine/env.js';
import { bwrapArgs } from '../process/confine/walls.js';
import { LaunchError, type LaunchPlan, launch, STATUS_FD } from '../process/launch.js';
import { type LogTail, tailLog } from '../process/log-tail.js';
import type { PrivateDir } from '../process/temp-files.js';
import type { Arg, Invocation, Runner } from '../runner/runner.js';
import { isInside, isPlanted, isSteering } from './place.js';
import type { TurnWall } from './wall.js';
import type { Tap, World } from './world.js';

/** Node runs a timer at once when it is longer than this (24.8 days). */
const LONGEST_TIMER = 2 ** 31 - 1;

export interface WorldOptions {
  runner: Runner;
  cwd: string;
  turnId: string;
  /** Whether the agent may write files in cwd without a question. */
  writes: boolean;
  /** Variables that tell a program that it runs inside another agent, of all runtimes. */
  nesting: readonly string[];
  ambient: NodeJS.ProcessEnv;
  /** Keys of the runtimes this one is not. */
  foreignKeys: readonly string[];
  /** What the caller gave with `--env`. */
  explicit: Readonly<Record<string, string>>;
  /** Variables of ours, e.g. the PATH on which the program's own interpreter is found. */
  set: Readonly<Record<string, string | null>>;
  /** Made on first use; removed by whoever runs the turn. */
  privateDir(): Promise<PrivateDir>;
  /** The folder if it was made already, for the MCP bridge's socket say: it must be gone after our own sudden death too. */
  madeDir(): PrivateDir | null;
  /** What stands around its processes; null where nothing does. */
  wall?: TurnWall | null;
  /** Its processes give way to ours. */
  background?: boolean;
  /** Tells a person what could not be done. */
  notice?(code: NoticeCode, message: string): void;
  tap?: Tap;
}

function explain(error: unknown, runner: Runner): unknown {
  if (!(error instanceof LaunchError)) return error;
  switch (error.reason) {
    case 'not-found':
      return new TurnoutError('missing-binary', `${error.message} Install it: ${runner.installHint}`, {
        hint: runner.installHint,
        cause: error,
      });
    case 'too-long':
      return new TurnoutError('unsupported', error.message, { cause: error });
    default:
      return new TurnoutError('runner-error', error.message, { cause: error });
  }
}

/** The turn's own folder may be written where the program leaves something there for us: a log, a usage report. */
function built(
  wall: TurnWall,
  { cwd, log, collect }: Invocation,
  start: string,
  dir: PrivateDir | null,
): LaunchPlan['wall'] {
  const writable = log !== undefined || (collect !== undefined && wall.writesTurnFolder);
  const turn = dir === null ? null : { at: dir.path, writable };
  return { path: wall.bwrap, args: bwrapArgs({ ...wall.walls, start: cwd ?? start, turn }, STATUS_FD) };
}

export function realWorld(options: WorldOptions): World {
  const { runner } = options;
  let launches = 0;
  return {
    now: () => performance.now(),
    wall: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER));
      return () => clearTimeout(timer);
    },
    inside: (path) => isInside(path, options.cwd),
    planted: (program) => isPlanted(program, options.cwd),
    steers: (path) => isSteering(path, options.cwd),
    async launch(invocation: Invocation, handlers) {
      launches++;
      const paths = new Map<string, string>();
      const files = Object.entries(invocation.files ?? {});
      const needsDir = files.length > 0 || invocation.stdout === 'file';
      const dir = needsDir ? await options.privateDir() : options.madeDir();
      for (const [key, { name, text }] of files) if (dir) paths.set(key, await dir.write(name, text));
      const resolveArg = (arg: Arg): string => {
        if (typeof arg === 'string') return arg;
        const path = paths.get(arg.file);
        if (path === undefined) throw new Error(`the invocation names no file ${arg.file}`);
        return (arg.before ?? '') + path + (arg.after ?? '');
      };
      const collect = Object.entries(invocation.collect ?? {}).map(([key, arg]) => [key, resolveArg(arg)] as const);
      const log = invocation.log;
      let tail: LogTail | null = null;
      const set: Record<string, string | null> = { ...options.set };
      for (const [name, arg] of Object.entries(invocation.env)) set[name] = arg === null ? null : resolveArg(arg);
      const argv = invocation.argv.map(resolveArg);
      const free = childEnv({
        ambient: options.ambient,
        scrub: [...runner.nesting, ...options.nesting],
        foreignKeys: options.foreignKeys,
        set,
        explicit: options.explicit,
        turnId: options.turnId,
        cwd: invocation.cwd ?? options.cwd,
        writes: options.writes,
      });
      const { wall = null } = options;
      const env = wall === null ? free : confinedEnv(free, new Set(Object.keys(options.explicit)));
      options.tap?.({ k: 'spawn', argv, env: Object.keys(env).sort() });
      let heard = () => {};
      const exit = new Promise<void>((resolve) => {
        heard = resolve;
      });
      try {
        if (log) tail = await tailLog(resolveArg({ file: log.file }), log.lines, handlers.stderr);
        const child = await launch(
          {
            argv,
            cwd: invocation.cwd ?? options.cwd,
            env,
            stdin: invocation.stdin,
            stdout: invocation.stdout,
            ...(invocation.stdout === 'file' && dir ? { stdoutFile: join(dir.path, `stdout-${launches}`) } : {}),
            marker: { name: MARKER, value: options.turnId },
            ...(dir ? { privateDir: dir.path } : {}),
            ...(options.background === true ? { background: true } : {}),
            ...(wall === null ? {} : { wall: built(wall, invocation, options.cwd, dir) }),
          },
          {
            line: handlers.line,
            dropped: handlers.dropped,
            stderr: handlers.stderr,
            closed: () => handlers.closed?.(),
            exit(code, signal) {
              tail?.stop();
              if (collect.length === 0 && wall === null) return handlers.exit(code, signal, {});
              const texts = collect.map(async ([key, path]) => {
                return [key, await readFile(path, 'utf8').catch(() => null)] as const;
              });
              void Promise.all([Promise.all(texts), wall?.settle() ?? []]).then(([files, lost]) => {
                for (const message of lost) options.notice?.('login-not-kept', message);
                handlers.exit(code, signal, Object.fromEntries(files));
                heard();
              });
            },
          },
        );
        if (collect.length === 0 && wall === null) return child;
        return {
          ...child,
          // A stopped turn ends with what the files say, usage say, so they must be heard first.
          async end(how) {
            const ended = await child.end(how);
            if (ended.survivors.length === 0) await exit;
            return ended;
          },
        };
      } catch (error) {
        tail?.stop();
        throw explain(error, runner);
      }
    },
  };
}
