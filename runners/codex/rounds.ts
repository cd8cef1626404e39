/**
 * Tells model calls that ask for tools apart. A usage report ends a model call, after its tools have run; a command that
 * the sandbox blocked leaves no item (0.171.0), so a call that is followed by another one asked for tools as well.
 */

import type { Action } from '../../src/runner/action.js';

export interface Rounds {
  /** A tool of the main agent begins. */
  tool(): Action[];
  toolEnded(): void;
  /** The main agent speaks or thinks. */
  speaks(): Action[];
  /** Usage of one model call came. */
  callEnded(): void;
  /** The next model call has another reason than a tool: guidance, or a compaction. */
  excused(): void;
}

export function rounds(): Rounds {
  let call = 0;
  let asked = false;
  let ended = false;
  let silent = false;
  let excuse = false;

  const round = (id: number): Action => ({ do: 'round', id: `call-${id}` });
  const next = () => {
    call++;
    silent = !asked && !excuse;
    excuse = false;
    asked = false;
    ended = false;
  };
  /** The call before this one asked for a tool that was never shown. */
  const catchUp = (): Action[] => {
    const missed = silent && call > 0 ? [round(call - 1)] : [];
    silent = false;
    return missed;
  };
  return {
    tool() {
      const missed = catchUp();
      if (asked) return missed;
      asked = true;
      return [...missed, round(call)];
    },
    toolEnded() {
      ended = true;
    },
    speaks() {
      // A provider that reports no usage: words after a tool belong to the next call.
      if (asked && ended) next();
      return catchUp();
    },
    callEnded: next,
    excused() {
      silent = false;
      excuse = true;
    },
  };
}
