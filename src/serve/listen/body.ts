/** A request's body: its declared type, capped, and UTF-8 by its bytes. */

import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** @throws Problem 415 */
export function checkType(request: IncomingMessage, types: readonly string[] | null): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((one) => one.trim().toLowerCase());
  // A form or plain text is what a page of another site can send without asking first.
  if (types !== null && !types.includes(type))
    throw new Problem('type', `the content type must be ${types.join(' or ')}`);
  const charset = parameters
    .find((one) => one.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new Problem('type', 'the charset must be utf-8');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new Problem('type', 'the body must not be compressed');
}

const tooLarge = (most: number) => new Problem('too-large', `the body is larger than ${most} bytes`);

/** @throws Problem 413 when the body is declared to be larger than `most` bytes */
export function checkSize(request: IncomingMessage, most: number): void {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
}

/** @throws Problem 413 as soon as it is known to be too large, 400 when it is cut off or not UTF-8 */
export async function readBody(request: IncomingMessage, most: number): Promise<string> {
  checkSize(request, most);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        request.pause();
        return reject(tooLarge(most));
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      try {
        resolve(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
      } catch {
        reject(new Problem('malformed', 'the body is not valid UTF-8'));
      }
    });
    const cut = () => reject(new Problem('malformed', 'the body was cut off'));
    request.on('error', cut);
    request.on('aborted', cut);
    if (request.destroyed) cut();
  });
}
