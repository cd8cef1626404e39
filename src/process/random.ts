/** Unguessable ids. A turn's start waits for its own, so they come without node:crypto, which takes 5 ms to load. */

import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const DEVICE = '/dev/urandom';

/** Null where there is no such device (Windows). */
function fromDevice(length: number): Buffer | null {
  let file: number;
  try {
    file = openSync(DEVICE, 'r');
  } catch {
    return null;
  }
  try {
    if (!fstatSync(file).isCharacterDevice()) return null;
    const bytes = Buffer.alloc(length);
    return readSync(file, bytes, 0, length, null) === length ? bytes : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** @returns twice as many hexadecimal digits as `bytes` */
export function randomHex(bytes: number): string {
  return (fromDevice(bytes) ?? randomBytes(bytes)).toString('hex');
}

/** A random UUID (version 4). */
export function freshUuid(): string {
  const hex = randomHex(16);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)].join(
    '-',
  );
}
