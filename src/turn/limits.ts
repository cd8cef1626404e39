/** The clocks of a turn: whole turn, silence, start-up. */

import type { TimeoutReason } from '../contract/error.js';
import type { World } from './world.js';

export interface TurnLimits {
  /** Milliseconds; 0 is none. */
  timeoutMs: number;
  idleMs: number;
  startupMs: number;
}

export interface LimitTimers {
  start(): void;
  /** A sign of life. */
  alive(): void;
  /** The runtime waits before a retry of its own; null when it does not say for how long. */
  waiting(delayMs: number | null): void;
  ready(): void;
  clear(): void;
}

export function limitTimers(options: {
  world: World;
  limits: TurnLimits;
  /** Only with extra servers or settings is there something to be ready. */
  waitsForReady: boolean;
  /** Whether silence is somebody else's: an open call, question or tool. */
  busy(): boolean;
  expired(reason: TimeoutReason): void;
}): LimitTimers {
  const { world, limits } = options;
  let last = world.now();
  let forgetDeadline = () => {};
  let forgetIdle = () => {};
  let forgetStartup = () => {};
  let over = false;
  const watchIdle = (ms: number) => {
    forgetIdle = world.after(ms, () => {
      if (over) return;
      if (options.busy()) last = world.now();
      const left = last + limits.idleMs - world.now();
      if (left > 0) watchIdle(left);
      else options.expired('idle');
    });
  };
  return {
    start() {
      if (limits.timeoutMs > 0) forgetDeadline = world.after(limits.timeoutMs, () => options.expired('deadline'));
      if (limits.idleMs > 0) watchIdle(limits.idleMs);
      if (options.waitsForReady && limits.startupMs > 0) {
        forgetStartup = world.after(limits.startupMs, () => options.expired('startup'));
      }
    },
    alive() {
      last = Math.max(last, world.now());
    },
    waiting(delayMs) {
      last = Math.max(last, world.now() + (delayMs ?? 0));
    },
    ready() {
      forgetStartup();
    },
    clear() {
      over = true;
      forgetDeadline();
      forgetIdle();
      forgetStartup();
    },
  };
}
