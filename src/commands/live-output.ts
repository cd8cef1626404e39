/** Our stdout for a command that prints now and then: it notices when nobody reads any more, also between two lines. */

import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { isPipe } from '../process/file-kind.js';

export interface LiveOutput {
  /** Resolves when the text was taken; drops it when nobody reads. */
  write(text: string): Promise<void>;
  /** Whether the reader is gone. */
  gone(): boolean;
}

/** A pipe without a reader can't be opened for writing. Linux only: elsewhere the next line finds out. */
function pipeIsDead(): boolean {
  try {
    closeSync(openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENXIO';
  }
}

export function liveOutput(): LiveOutput {
  const stat = fstatSync(1);
  let left = false;
  const leave = () => {
    left = true;
  };
  let out: Writable = process.stdout;
  if (stat.isSocket()) {
    // Node's own stdout never listens: it would not hear that the other end was closed.
    const socket = new Socket({ fd: 1, readable: true, writable: true });
    socket.on('end', leave);
    socket.resume();
    socket.unref();
    out = socket;
  }
  out.on('error', leave);
  out.on('close', leave);
  return {
    gone: () => left || (isPipe(stat) && process.platform === 'linux' && pipeIsDead()),
    write(text) {
      if (left) return Promise.resolve();
      return new Promise((resolve) => {
        out.write(text, (error) => {
          if (error) leave();
          resolve();
        });
      });
    },
  };
}
