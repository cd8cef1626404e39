/**
 * The prompts of one session, one after another: a prompt that comes while another is answered waits for its turn. Calling
 * off ends the one that runs and those that wait, which have then begun nothing.
 */

import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import type { PromptTurn } from './turn.js';

export interface Prompts {
  /** @returns the answer to the prompt, once those before it are over and it has been answered */
  add(begin: () => PromptTurn, signal: AbortSignal): Promise<PromptResponse>;
  /** Calls everything off. @returns resolves when nothing is left of it */
  cancel(): Promise<void>;
  /** The same, and what still comes is called off too. */
  close(): Promise<void>;
  /** What runs now. */
  turn(): PromptTurn | null;
  /** Whether something runs or waits. */
  busy(): boolean;
}

export function prompts(): Prompts {
  const open = new Set<() => void>();
  let last: Promise<unknown> = Promise.resolve();
  let turn: PromptTurn | null = null;
  let closed = false;

  async function cancel(): Promise<void> {
    for (const one of [...open]) one();
    await last;
  }

  return {
    add(begin, signal) {
      const before = last;
      let cancelled = closed || signal.aborted;
      let running: PromptTurn | null = null;
      let wake = () => {};
      const calledOff = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const callOff = () => {
        cancelled = true;
        wake();
        running?.cancel();
      };
      const work = async (): Promise<PromptResponse> => {
        await Promise.race([before, calledOff]);
        if (cancelled || closed) return { stopReason: 'cancelled' };
        running = begin();
        turn = running;
        try {
          return await running.answer;
        } finally {
          turn = null;
        }
      };
      open.add(callOff);
      signal.addEventListener('abort', callOff, { once: true });
      const answer = work().finally(() => {
        open.delete(callOff);
        signal.removeEventListener('abort', callOff);
      });
      // One that was called off while it waited is over before those in front of it.
      last = Promise.allSettled([before, answer]);
      return answer;
    },
    cancel,
    close() {
      closed = true;
      return cancel();
    },
    turn: () => turn,
    busy: () => open.size > 0,
  };
}
