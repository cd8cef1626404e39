/** A stream that is read for as long as somebody wants it, over as many connections as it takes. */

import { signal } from '@preact/signals';
import { ApiError, admitted, readLines } from './api.js';

/** `late`: the connection is there, and what was missed is being read. */
export type Link = 'connecting' | 'live' | 'late' | 'offline';

/** Of the feed that every view stands on. */
export const link = signal<Link>('connecting');
/** When the connection was lost; null while there is one. */
export const offlineSince = signal<number | null>(null);

const FIRST_MS = 250;
const MOST_MS = 5_000;
/** The server says something every ten seconds; a connection that is silent for longer is dead. */
export const SILENCE_MS = 25_000;

/** Resolves after a while, or at once when the network or the tab comes back. */
function pause(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener('online', over);
      document.removeEventListener('visibilitychange', seen);
      left.removeEventListener('abort', over);
      resolve();
    };
    const seen = () => document.visibilityState === 'visible' && over();
    const timer = setTimeout(over, ms);
    addEventListener('online', over);
    document.addEventListener('visibilitychange', seen);
    left.addEventListener('abort', over);
  });
}

async function once(path: string, heard: (line: unknown) => void, left: AbortSignal): Promise<void> {
  const dead = new AbortController();
  let timer = setTimeout(() => dead.abort(), SILENCE_MS);
  const drop = () => dead.abort();
  // A phone ends connections of hidden tabs and says nothing.
  addEventListener('offline', drop);
  left.addEventListener('abort', drop);
  try {
    await readLines(
      path,
      (line) => {
        clearTimeout(timer);
        timer = setTimeout(() => dead.abort(), SILENCE_MS);
        heard(line);
      },
      dead.signal,
    );
  } finally {
    clearTimeout(timer);
    removeEventListener('offline', drop);
    left.removeEventListener('abort', drop);
  }
}

/**
 * @param path asked for before each connection, so that it names the cursor of then
 * @param heard returns true when nothing more will come
 * @param told hears how the connection is
 */
export async function keepReading(
  path: () => string,
  heard: (line: unknown) => boolean | void,
  left: AbortSignal,
  told: (link: Link) => void = () => {},
): Promise<void> {
  let wait = FIRST_MS;
  let over = false;
  while (!left.aborted && !over) {
    try {
      await once(
        path(),
        (line) => {
          wait = FIRST_MS;
          told('live');
          if (line !== null && heard(line) === true) over = true;
        },
        left,
      );
    } catch (error) {
      if (left.aborted) return;
      if (error instanceof ApiError && error.status < 500) {
        if (error.status === 401) admitted.value = false;
        throw error;
      }
    }
    if (over || left.aborted) return;
    told('offline');
    await pause(wait, left);
    wait = Math.min(wait * 2, MOST_MS);
    told('late');
  }
}
