/** Lines → the body of a response, no faster than it is read. */

import type { Out } from './lines.js';

/** UTF-16 units that may wait for the reader before `ready` waits too. */
const HIGH_WATER = 256 * 1024;

export interface LineStream {
  out: Out;
  body: ReadableStream<Uint8Array>;
  /** Nothing more will be written. */
  end(): void;
}

/** @param gone called once, when the reader leaves before the end */
export function lineStream(gone: () => void): LineStream {
  let pieces: string[] = [];
  let size = 0;
  let ended = false;
  let closed = false;
  /** The reader wants more than there is. */
  let hungry: (() => void) | null = null;
  let waiting: (() => void)[] = [];
  const encoder = new TextEncoder();
  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  const feed = () => {
    const more = hungry;
    hungry = null;
    more?.();
  };
  return {
    out: {
      get closed() {
        return closed;
      },
      write(line) {
        if (closed || ended || line === '') return;
        pieces.push(line);
        size += line.length;
        feed();
      },
      ready() {
        if (closed || size < HIGH_WATER) return Promise.resolve();
        return new Promise((resolve) => waiting.push(resolve));
      },
    },
    body: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (pieces.length === 0 && !ended)
            await new Promise<void>((resolve) => {
              hungry = resolve;
            });
          if (closed) return;
          // All that was written in the meantime goes out as one piece.
          const text = pieces.join('');
          pieces = [];
          size = 0;
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (ended) controller.close();
          wake();
        },
        cancel() {
          if (closed) return;
          closed = true;
          feed();
          wake();
          gone();
        },
      },
      { highWaterMark: 0 },
    ),
    end() {
      ended = true;
      feed();
    },
  };
}
