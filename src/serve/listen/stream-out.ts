/** Answers → a stream (stdout, a socket), no faster than it is read. */

import type { Writable } from 'node:stream';
import type { Out } from './lines.js';

/** Bytes that may wait for the reader before `ready` waits too. */
const HIGH_WATER = 256 * 1024;

/** @param gone called once, when nobody reads any more */
export function streamOut(stream: Writable, gone: () => void): Out {
  let closed = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  const close = () => {
    if (closed) return;
    closed = true;
    wake();
    gone();
  };
  stream.on('drain', wake);
  stream.on('error', close);
  stream.on('close', close);
  return {
    get closed() {
      return closed;
    },
    write(line) {
      if (closed || stream.destroyed || stream.writableEnded) return;
      stream.write(line);
    },
    ready() {
      if (closed || stream.writableLength < HIGH_WATER) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
