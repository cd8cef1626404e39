/**
 * Programs kept alive between the turns of a session. Each waits under the session it holds, for as long as it may be
 * idle; a few at most. Between two turns it has the ears of the pool: a program that then speaks by itself, or dies, is
 * let go, and the next turn continues its session with a new one.
 */

import { totalmem } from 'node:os';
import type { Keeper, Living } from '../exec/keeper.js';
import { DEAF, endQuietly } from '../exec/warm-world.js';
import { jsonLine } from '../text/json-line.js';

export interface PoolOptions {
  /** Milliseconds that a program may be idle. */
  idleMs?: number;
  /** Idle programs at a time; the one that was used least recently goes first. */
  most?: number;
}

export interface WarmPool extends Keeper {
  /** Ends the program that holds a session, if one does. */
  drop(runtime: string, session: string): Promise<void>;
  /** Programs that wait for their next turn. */
  idle(): number;
  /** Ends all of them; none is kept from now on. */
  close(): Promise<void>;
}

const IDLE_MS = 10 * 60_000;
/** An idle program takes 0.1 to 0.7 GB (docs/server.md): one for each 2 GB of memory. */
const BYTES_EACH = 2 * 1024 ** 3;
const FEWEST = 2;
const MOST = 16;
/** Memory of the programs grows with their turns: up to twice the first figure after 50. */
const TURNS = 50;

const mostHere = (): number => Math.min(MOST, Math.max(FEWEST, Math.floor(totalmem() / BYTES_EACH)));
const keyOf = (runtime: string, session: string): string => `${runtime}\n${session}`;

interface Waiting {
  living: Living;
  timer: NodeJS.Timeout;
}

export function warmPool({ idleMs = IDLE_MS, most = mostHere() }: PoolOptions = {}): WarmPool {
  /** In the order in which they were last used. */
  const waiting = new Map<string, Waiting>();
  const ending = new Set<Promise<void>>();
  let closed = false;

  /** Takes a program out, if it is still the one that waits there. */
  const remove = (key: string, living?: Living): Living | null => {
    const found = waiting.get(key);
    if (!found || (living && found.living !== living)) return null;
    waiting.delete(key);
    clearTimeout(found.timer);
    return found.living;
  };
  const end = (living: Living): Promise<void> => {
    living.listen(DEAF);
    const over = endQuietly(living.child).then(living.dispose, living.dispose);
    ending.add(over);
    void over.finally(() => ending.delete(over));
    return over;
  };
  const letGo = (key: string, living?: Living): Promise<void> => {
    const found = remove(key, living);
    return found ? end(found) : Promise.resolve();
  };
  /** What an idle program says: requests are answered; work of its own ends it. */
  const hear = (key: string, living: Living, text: string): void => {
    for (const action of living.conversation.hear({ type: 'line', text })) {
      switch (action.do) {
        case 'write':
          living.child.write(`${jsonLine(action.line)}\n`);
          break;
        case 'say':
        case 'call':
        case 'ask':
        case 'finish':
          void letGo(key, living);
          return;
        default:
      }
    }
  };

  return {
    idle: () => waiting.size,
    async take({ runtime, session, digest }) {
      const key = keyOf(runtime, session);
      const living = remove(key);
      if (!living) return null;
      if (living.digest === digest) return living;
      await end(living);
      return null;
    },
    keep(living) {
      if (closed || living.turns >= TURNS) return false;
      const key = keyOf(living.runtime, living.session);
      void letGo(key);
      const timer = setTimeout(() => void letGo(key, living), idleMs).unref();
      waiting.set(key, { living, timer });
      living.listen({
        line: (text) => hear(key, living, text),
        dropped: () => void letGo(key, living),
        stderr: () => {},
        closed: () => void letGo(key, living),
        exit: () => void letGo(key, living),
      });
      while (waiting.size > most) {
        const [oldest] = waiting.keys();
        if (oldest === undefined) break;
        void letGo(oldest);
      }
      return true;
    },
    drop: (runtime, session) => letGo(keyOf(runtime, session)),
    async close() {
      closed = true;
      for (const key of [...waiting.keys()]) void letGo(key);
      await Promise.all(ending);
    },
  };
}
