/** A turn of the claude runner without a process: what is native is pushed in, our bytes are counted. */

import { eventWriter } from '../src/output/event-writer.js';
import { runners } from '../src/registry/registry.js';
import { isRefusal } from '../src/runner/runner.js';
import { admit } from '../src/turn/admission.js';
import { runTurn } from '../src/turn/loop.js';
import type { ChildHandlers, World } from '../src/turn/world.js';
import { machine, request } from '../test/runners/drive.js';

export interface OfflineTurn {
  handlers: ChildHandlers;
  /** Bytes of our NDJSON so far. */
  written(): number;
  end(): Promise<void>;
}

function worldOf(launched: (handlers: ChildHandlers) => void): World {
  return {
    now: () => performance.now(),
    wall: () => null,
    after(wait, run) {
      const timer = setTimeout(run, wait);
      return () => clearTimeout(timer);
    },
    inside: () => true,
    steers: () => false,
    async launch(_invocation, handlers) {
      launched(handlers);
      return {
        pid: process.pid,
        write() {},
        endStdin() {},
        pause() {},
        resume() {},
        tidy: async () => {},
        end: async () => ({ survivors: [] }),
      };
    },
  };
}

/** @throws when the runner refuses the plainest of requests */
export async function offlineTurn(): Promise<OfflineTurn> {
  const runner = runners.find(({ id }) => id === 'claude');
  if (!runner) throw new Error('there is no claude runner');
  const asked = request({ runtime: 'claude' });
  const admitted = admit(runner, asked, { root: false, allowRoot: false });
  const invocation = runner.invoke(asked, machine());
  if (admitted.refuse !== undefined || isRefusal(invocation)) throw new Error('claude refuses a plain turn');
  let bytes = 0;
  const writer = eventWriter({
    write(text, done) {
      bytes += Buffer.byteLength(text);
      setImmediate(done);
      return true;
    },
    on: () => undefined,
  });
  return new Promise((resolve) => {
    const turn = runTurn({
      runner,
      admitted,
      machine: machine(),
      invocation,
      conversation: runner.converse(asked, machine()),
      limits: { timeoutMs: 0, idleMs: 0, startupMs: 0 },
      world: worldOf((handlers) =>
        // Once the turn knows its process.
        setImmediate(() => resolve({ handlers, written: () => bytes, end: () => over(handlers) })),
      ),
      tools: null,
      emit: (event) => writer.write(event),
      mask: (text) => text,
      notices: [],
    });
    const over = async (handlers: ChildHandlers) => {
      turn.cancel();
      handlers.exit(0, null, {});
      await turn.done;
    };
  });
}
