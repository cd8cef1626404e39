/** A stream of request lines → a connection. */

import type { Readable } from 'node:stream';
import { LIMITS } from '../../contract/limits.js';
import { lineSplitter } from '../../text/lines.js';
import type { Connection } from './connection.js';

/** Resolves when the stream ended. A line over the limit is answered with an error. */
export function readLines(input: Readable, to: Connection): Promise<void> {
  const lines = lineSplitter({
    max: LIMITS.frameLine,
    onLine: (text) => to.accept(text),
    onDropped: () => to.malformed(`a request is larger than ${LIMITS.frameLine} bytes`),
  });
  return new Promise((resolve) => {
    input.on('data', (chunk: Buffer) => lines.push(chunk));
    input.on('end', () => {
      lines.end();
      resolve();
    });
    input.on('error', () => resolve());
    input.on('close', () => resolve());
  });
}
