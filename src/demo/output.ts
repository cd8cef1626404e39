/** Lines on stdout, in order and with back-pressure: `big` would otherwise hold its whole text in memory. */

import type { Outgoing } from './dialect.js';

export type Send = (frame: Outgoing) => Promise<void>;

/**
 * @param stream stdout
 * @returns a function that resolves when the line was taken; with nobody reading any more the program ends
 */
export function sender(stream: NodeJS.WriteStream): Send {
  stream.on('error', () => process.exit(1));
  return (frame) =>
    new Promise((resolve) => {
      if (stream.write(`${JSON.stringify(frame)}\n`)) resolve();
      else stream.once('drain', resolve);
    });
}

/** Waits until all that was written has left; Node drops what is still queued when a program exits. */
export function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
