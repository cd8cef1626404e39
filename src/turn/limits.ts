/** The clocks of a turn: whole turn, silence, each phase of the start. */

import type { TimeoutReason } from '../contract/error.js';
import type { Phase } from '../runner/action.js';
import type { World } from './world.js';

export interface TurnLimits {
  /** Milliseconds; 0 is none. */
  timeoutMs: number;
  idleMs: number;
  /** Of each phase before the prompt is taken; null is the runtime's own, which `startupMs` of its runner says. */
  startupMs: number | null;
  /** How long a runtime's quota may be waited for before the turn begins again; 0 when absent. */
  quotaMs?: number;
}

/** What may run out of time before the runtime works on the prompt. */
export type StartPhase = Phase | 'spawn';

export type Expired =
  | { reason: Exclude<TimeoutReason, 'startup'> }
  | { reason: 'startup'; phase: StartPhase; ms: number };

const STARTUP_MS = 30_000;

const AWAITED: Readonly<Record<StartPhase, string>> = {
  spawn: 'did not start',
  hello: 'did not answer the greeting',
  login: 'did not finish its login',
  session: 'did not open the session',
  settings: 'did not take its settings',
  servers: 'did not get its MCP servers or settings ready',
  prompt: 'did not take the prompt',
};

/** For people: which phase took too long, and what changes the limit. */
export function startupText(id: string, { phase, ms }: { phase: StartPhase; ms: number }): string {
  return `${id} ${AWAITED[phase]} within ${ms / 1000} s (phase ${phase}; --startup-timeout changes the limit).`;
}

export interface LimitTimers {
  start(): void;
  /** A sign of life. */
  alive(): void;
  /** The runtime waits before a retry of its own; null when it does not say for how long. */
  waiting(delayMs: number | null): void;
  /** What the start waits for now; null when it is over. */
  phase(phase: StartPhase | null): void;
  clear(): void;
}

export function limitTimers(options: {
  world: World;
  limits: TurnLimits;
  /** The default for a phase of the start. */
  startupMs: number | undefined;
  /** Whether silence is somebody else's: an open call, question or tool. */
  busy(): boolean;
  /** Whether the runtime is held back by a slow reader. */
  held(): boolean;
  expired(what: Expired): void;
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
      else options.expired({ reason: 'idle' });
    });
  };
  const startupMs = limits.startupMs ?? options.startupMs ?? STARTUP_MS;
  const watchPhase = (phase: StartPhase) => {
    forgetStartup = world.after(startupMs, () => {
      if (over) return;
      if (options.held() || options.busy()) watchPhase(phase);
      else options.expired({ reason: 'startup', phase, ms: startupMs });
    });
  };
  return {
    start() {
      if (limits.timeoutMs > 0)
        forgetDeadline = world.after(limits.timeoutMs, () => options.expired({ reason: 'deadline' }));
      if (limits.idleMs > 0) watchIdle(limits.idleMs);
    },
    alive() {
      last = Math.max(last, world.now());
    },
    waiting(delayMs) {
      last = Math.max(last, world.now() + (delayMs ?? 0));
    },
    phase(phase) {
      forgetStartup();
      if (!over && phase !== null && startupMs > 0) watchPhase(phase);
    },
    clear() {
      over = true;
      forgetDeadline();
      forgetIdle();
      forgetStartup();
    },
  };
}
