/** The world of a turn whose program may come from the turn before, or live on after it. */

import type { Action, Conversation, Heard } from '../runner/action.js';
import type { Machine } from '../runner/machine.js';
import type { TurnRequest } from '../runner/request.js';
import { isRefusal, type Runner } from '../runner/runner.js';
import type { Child, ChildHandlers, World } from '../turn/world.js';
import type { Living } from './keeper.js';

export interface WarmWorld {
  world: World;
  /** The first program of the turn, and how its ears are turned. Null before it runs. */
  first(): Pick<Living, 'child' | 'listen'> | null;
}

/** @param living handed over instead of the first start; a later start of the turn is a real one */
export function warmWorld(real: World, living: Living | null): WarmWorld {
  let first: Pick<Living, 'child' | 'listen'> | null = null;
  return {
    first: () => first,
    world: {
      ...real,
      async launch(invocation, handlers) {
        if (living && !first) {
          living.listen(handlers);
          first = living;
          return living.child;
        }
        const ears: Ears = { now: handlers, exit: null };
        const child = await real.launch(invocation, relay(ears));
        first ??= {
          child,
          listen(next) {
            ears.now = next;
            // Who listens only now would wait for ever.
            const { exit } = ears;
            if (exit) queueMicrotask(() => next.exit(...exit));
          },
        };
        return child;
      },
    },
  };
}

interface Ears {
  now: ChildHandlers;
  exit: Parameters<ChildHandlers['exit']> | null;
}

function relay(ears: Ears): ChildHandlers {
  return {
    line: (text) => ears.now.line(text),
    dropped: (bytes) => ears.now.dropped(bytes),
    stderr: (text) => ears.now.stderr(text),
    closed: () => ears.now.closed?.(),
    exit(...exit) {
      ears.exit = exit;
      ears.now.exit(...exit);
    },
  };
}

/**
 * A turn on a program that was kept. If that one dies before it said a word about the prompt, it did not take it: the
 * turn begins again with a program of its own.
 */
export function orAgain(warm: Conversation, runner: Runner, request: TurnRequest, machine: Machine): Conversation {
  let current = warm;
  let silent = true;
  let stopping = false;
  const again = (heard: Heard): Action[] => {
    const invocation = runner.invoke(request, machine);
    if (isRefusal(invocation)) return warm.hear(heard);
    silent = false;
    current = runner.converse(request, machine);
    return [{ do: 'between' }, { do: 'spawn', invocation }];
  };
  return {
    hear(heard) {
      if (heard.type === 'line') silent = false;
      if (heard.type === 'stop') stopping = true;
      if (heard.type === 'exit' && silent && !stopping && current === warm) return again(heard);
      return current.hear(heard);
    },
  };
}

/** A program without ears would lose its words: those of a child that is about to end. */
export const DEAF: ChildHandlers = {
  line: () => {},
  dropped: () => {},
  stderr: () => {},
  exit: () => {},
};

/** Ends a child that nobody holds any more. */
export async function endQuietly(child: Child): Promise<void> {
  child.endStdin();
  await child.end();
}
