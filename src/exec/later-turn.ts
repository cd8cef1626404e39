/** The handle of a turn that is still being prepared: what is sent to it meanwhile is kept and delivered when it begins. */

import type { Turn } from '../turn/loop.js';

/** What the preparation needs of the handle. */
export interface Preparation {
  /** The turn runs: what was kept reaches it. */
  started(turn: Turn): void;
  /** When its end was asked for, in milliseconds since 1970; null until then. */
  cancelledAt(): number | null;
}

/** @param run prepares and runs the turn; resolves with its exit code and never rejects */
export function laterTurn(run: (preparation: Preparation) => Promise<number>): Turn {
  let turn: Turn | null = null;
  let cancelled: number | null = null;
  const early: ((turn: Turn) => void)[] = [];
  const later = (act: (turn: Turn) => void) => {
    if (turn) act(turn);
    else early.push(act);
  };
  const done = run({
    started(one) {
      turn = one;
      for (const act of early) act(one);
    },
    cancelledAt: () => cancelled,
  });
  return {
    frame(frame) {
      if (frame.type === 'cancel') cancelled ??= Date.now();
      later((one) => one.frame(frame));
    },
    badFrame: (message, id) => later((one) => one.badFrame(message, id)),
    stdinClosed: () => later((one) => one.stdinClosed()),
    cancel() {
      cancelled ??= Date.now();
      later((one) => one.cancel());
    },
    notice: (code, message) => later((one) => one.notice(code, message)),
    fault: (message) => later((one) => one.fault(message)),
    pause: () => later((one) => one.pause()),
    resume: () => later((one) => one.resume()),
    done,
  };
}
