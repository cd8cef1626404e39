/** Reads caller frames from our stdin. What can't be a channel to a host (a terminal, a file) is left alone. */

import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Frame } from '../contract/frame.js';
import { LIMITS } from '../contract/limits.js';
import { isPipe } from '../process/file-kind.js';
import type { FirstLine } from '../request/from-argv.js';
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
    return isPipe(stat) || stat.isSocket();
  } catch {
    return false;
  }
}

/**
 * The first line of a stream; what follows it stays in the stream for its next reader.
 * @param limits `bytes` without the line break; `ms` until it must be there
 */
export function firstLine(input: Readable, limits: { bytes: number; ms: number }): Promise<FirstLine> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (result: FirstLine) => {
      clearTimeout(timer);
      input.off('readable', more);
      input.off('end', ended);
      input.off('error', ended);
      resolve(result);
    };
    const text = () => Buffer.concat(chunks).toString('utf8').replace(/\r$/, '');
    const ended = () => settle(bytes === 0 ? { why: 'ended' } : { line: text() });
    const more = () => {
      for (let chunk: Buffer | null = input.read(); chunk !== null; chunk = input.read()) {
        const at = chunk.indexOf(10);
        const part = at < 0 ? chunk : chunk.subarray(0, at);
        bytes += part.length;
        if (bytes > limits.bytes) return settle({ why: 'long' });
        chunks.push(part);
        if (at < 0) continue;
        const rest = chunk.subarray(at + 1);
        settle({ line: text() });
        if (rest.length > 0) input.unshift(rest);
        return;
      }
    };
    const timer = setTimeout(() => settle({ why: 'late' }), limits.ms);
    input.on('readable', more);
    input.on('end', ended);
    input.on('error', ended);
  });
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
