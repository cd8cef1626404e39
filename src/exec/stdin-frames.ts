/** Reads caller frames from our stdin. What can't be a channel to a host (a terminal, a file) is left alone. */

import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Frame } from '../contract/frame.js';
import { LIMITS } from '../contract/limits.js';
import { lineSplitter } from '../text/lines.js';
import { readFrame } from '../turn/frames.js';

export interface FrameHandlers {
  frame(frame: Frame): void;
  bad(message: string, id: string | null): void;
  closed(): void;
}

/** Whether stdin is a pipe or a socket: only then may there be a host that was not asked for frames. */
export function stdinIsChannel(fd = 0): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/**
 * Reads until the stream ends.
 * @returns a function that stops reading and lets the process end
 */
export function readFrames(input: Readable, handlers: FrameHandlers): () => void {
  let over = false;
  const lines = lineSplitter({
    max: LIMITS.frameLine,
    long: 'cut',
    onLine(text) {
      if (over || text.trim() === '') return;
      if (text.length * 3 >= LIMITS.frameLine && Buffer.byteLength(text) >= LIMITS.frameLine) {
        const { id } = { id: null, ...readFrame(text) };
        return handlers.bad(`a frame is too large; the limit is ${LIMITS.frameLine} bytes`, id);
      }
      const read = readFrame(text);
      if ('frame' in read) handlers.frame(read.frame);
      else handlers.bad(read.bad, read.id);
    },
  });
  const closed = () => {
    if (over) return;
    lines.end();
    over = true;
    handlers.closed();
  };
  input.on('data', (chunk: Buffer) => lines.push(chunk));
  input.on('end', closed);
  input.on('error', closed);
  return () => {
    over = true;
    input.pause();
    input.destroy();
  };
}
