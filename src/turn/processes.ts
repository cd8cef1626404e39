/** The processes of a turn: one, or one after another, each begun when nothing of the one before is left. */

import { GRACE } from '../contract/limits.js';
import type { Invocation } from '../runner/runner.js';
import type { Child, ChildHandlers, World } from './world.js';

export interface Processes {
  start(invocation: Invocation): void;
  /** Start this one when the current one is gone; it is helped to go. */
  next(invocation: Invocation): void;
  /** The current process's exit is no end of the turn. */
  between(): void;
  /** The process while it lives. */
  child(): Child | null;
  /** The last process, gone or not: its tree may have more. */
  tree(): Child | null;
  launching(): Promise<void> | null;
  /** Whether it is still the first one. */
  single(): boolean;
  pause(): void;
  paused(): boolean;
  resume(): void;
}

const END = { termMs: GRACE.term, killMs: GRACE.kill };

export function processes(options: {
  world: World;
  handlers: ChildHandlers;
  /** Whether nothing may be started any more. */
  stopping(): boolean;
  started(child: Child): void;
  failed(error: unknown): void;
  /** A process is gone, and what it left is to be heard. */
  heard: ChildHandlers['exit'];
  /** After that: it was the turn's last one… */
  exited(code: number | null, signal: string | null): void;
  /** …or another follows. */
  followed(): void;
}): Processes {
  const { world, handlers } = options;
  let child: Child | null = null;
  let gone = true;
  let paused = false;
  let launching: Promise<void> | null = null;
  let waiting: Invocation | null = null;
  let isBetween = false;
  let forget = () => {};
  let launches = 0;

  const launch = async (invocation: Invocation): Promise<void> => {
    try {
      if (options.stopping()) return options.failed(new Error('stopped before the start'));
      const launched = await world.launch(invocation, {
        ...handlers,
        closed() {
          if (!isBetween) handlers.closed?.();
        },
        exit(code, signal, files) {
          gone = true;
          // A conversation may learn only now that another process has to follow.
          options.heard(code, signal, files);
          if (!isBetween || options.stopping()) return options.exited(code, signal);
          options.followed();
          if (waiting) again();
        },
      });
      child = launched;
      launches++;
      gone = false;
      isBetween = false;
      if (paused) launched.pause();
      options.started(launched);
    } catch (error) {
      options.failed(error);
    }
  };
  const start = (invocation: Invocation): void => {
    launching = launch(invocation).finally(() => {
      launching = null;
    });
  };
  const again = () => {
    forget();
    const invocation = waiting;
    waiting = null;
    if (!invocation) return;
    const begin = () => start(invocation);
    launching = Promise.resolve(child?.end(END)).then(begin, begin);
  };

  return {
    start,
    next(invocation) {
      waiting = invocation;
      isBetween = true;
      if (gone) return again();
      child?.endStdin();
      forget = world.after(GRACE.afterEnd, () => void child?.end(END));
    },
    between() {
      isBetween = true;
    },
    child: () => (gone ? null : child),
    tree: () => child,
    launching: () => launching,
    single: () => launches === 1 && !isBetween && !gone,
    paused: () => paused,
    pause() {
      paused = true;
      if (!gone) child?.pause();
    },
    resume() {
      paused = false;
      if (!gone) child?.resume();
    },
  };
}
