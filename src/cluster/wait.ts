/** Waiting for the engine: for a hint, for as long as a hint may be lost, or until a signal. */

import type { Engine, Topic } from './engine.js';

/** Milliseconds after which one looks although nothing was heard. */
const LOOK_MS = 1000;

export interface Ear {
  /** Resolves at the next hint since the last call, after a while, or with the signal. */
  next(): Promise<void>;
  close(): void;
}

/** @param signal ends all waiting */
export async function ear(engine: Engine, topics: readonly Topic[], signal?: AbortSignal): Promise<Ear> {
  let heard = false;
  let wake: (() => void) | null = null;
  const hear = () => {
    heard = true;
    wake?.();
  };
  const offs = await Promise.all(topics.map((topic) => engine.listen(topic, hear)));
  signal?.addEventListener('abort', hear, { once: true });
  return {
    async next() {
      if (!heard && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = null;
      }
      heard = false;
    },
    close() {
      signal?.removeEventListener('abort', hear);
      for (const off of offs) off();
    },
  };
}
