/** When a process has begun, and when it is over: after its exit, once nothing more can be read. */

import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** How long a grandchild may hold our pipes open after the exit. */
const HOLD = 500;

export interface ExitWatchOptions {
  child: Pick<ChildProcess, 'on' | 'once'>;
  streams: readonly Readable[];
  /** While the reader is held back the time does not run. */
  isPaused(): boolean;
  /** Once. */
  onExit(code: number | null, signal: string | null): void;
}

export interface ExitWatch {
  /** null once the process runs, else what was thrown. */
  started: Promise<unknown>;
  /** The answer of `isPaused` changed. */
  held(): void;
}

/** Call it in the tick of the spawn. */
export function exitWatch({ child, streams, isPaused, onExit }: ExitWatchOptions): ExitWatch {
  let exit: { code: number | null; signal: string | null } | null = null;
  let open = streams.length;
  let left = HOLD;
  let since = 0;
  let timer: NodeJS.Timeout | null = null;
  let over = false;

  function finish(): void {
    if (over || exit === null) return;
    over = true;
    if (timer) clearTimeout(timer);
    for (const stream of streams) stream.destroy();
    onExit(exit.code, exit.signal);
  }

  function run(): void {
    if (exit === null || over || timer !== null || isPaused()) return;
    since = performance.now();
    timer = setTimeout(() => {
      timer = null;
      // The poll phase comes between a timer and an immediate: what is in the pipe by now is still read.
      setImmediate(() => {
        left = 0;
        if (!isPaused()) finish();
      });
    }, left);
  }

  function settle(): void {
    if (exit !== null && open === 0) finish();
  }

  for (const stream of streams) {
    // A broken pipe is an end like any other: what was read counts.
    stream.on('error', () => undefined);
    stream.once('close', () => {
      open--;
      settle();
    });
  }
  child.once('exit', (code: number | null, signal: string | null) => {
    exit = { code, signal };
    settle();
    run();
  });

  const started = new Promise<unknown>((resolve) => {
    child.once('spawn', () => resolve(null));
    child.on('error', resolve);
  });

  return {
    started,
    held() {
      if (timer !== null && isPaused()) {
        clearTimeout(timer);
        timer = null;
        left = Math.max(0, left - (performance.now() - since));
      }
      run();
    },
  };
}
