/** A request's body: JSON by its declared type, capped, and UTF-8 by its bytes. */

import type { IncomingMessage } from 'node:http';

export class BodyError extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    message: string,
  ) {
    super(message);
  }
}

/** @throws BodyError 415 */
export function checkType(request: IncomingMessage, types: readonly string[]): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((one) => one.trim().toLowerCase());
  // A form or plain text is what a page of another site can send without asking first.
  if (!types.includes(type)) throw new BodyError(415, `the content type must be ${types.join(' or ')}`);
  const charset = parameters
    .find((one) => one.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new BodyError(415, 'the charset must be utf-8');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new BodyError(415, 'the body must not be compressed');
}

const tooLarge = (most: number) => new BodyError(413, `the body is larger than ${most} bytes`);

/** @throws BodyError 413 when the body is declared to be larger than `most` bytes */
export function checkSize(request: IncomingMessage, most: number): void {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
}

/** @throws BodyError 413 as soon as it is known to be too large, 400 when it is cut off or no UTF-8 */
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
        reject(new BodyError(400, 'the body is not valid UTF-8'));
      }
    });
    const cut = () => reject(new BodyError(400, 'the body was cut off'));
    request.on('error', cut);
    request.on('aborted', cut);
  });
}
