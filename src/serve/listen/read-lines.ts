/** A stream of request lines → a session. */

import type { Readable } from 'node:stream';
import { LIMITS } from '../../contract/limits.js';
import { lineSplitter } from '../../text/lines.js';
import type { LineSession } from './lines.js';

/**
 * Resolves when the stream ended. A line over the limit, or one that is not UTF-8, is answered with an error; with enough to
 * do, none is read.
 */
export function readLines(input: Readable, to: LineSession): Promise<void> {
  const lines = lineSplitter({
    max: LIMITS.frameLine,
    onLine: (text) => to.accept(text),
    onDropped: () => to.malformed(`a request is larger than ${LIMITS.frameLine} bytes`),
    onInvalid: () => to.malformed('a request is not valid UTF-8'),
  });
  return new Promise((resolve) => {
    input.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      if (!to.full) return;
      input.pause();
      void to.room().then(() => input.resume());
    });
    input.on('end', () => {
      lines.end();
      resolve();
    });
    input.on('error', () => resolve());
    input.on('close', () => resolve());
  });
}
