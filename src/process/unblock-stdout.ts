/**
 * Lets a pipe that nobody reads wait without us. On Windows Node makes the pipes of stdout and stderr blocking and writes
 * to them synchronously (`lib/net.js`; seen on 20.20): a host that stops reading would stop our timers and signals with it.
 */

import type { Writable } from 'node:stream';

interface Handle {
  setBlocking(on: boolean): number;
}

function isHandle(value: unknown): value is Handle {
  return (
    typeof value === 'object' && value !== null && 'setBlocking' in value && typeof value.setBlocking === 'function'
  );
}

/**
 * Call it before the first write, and only where what was written is flushed before the process exits. Files and
 * terminals, and all streams elsewhere than on Windows, stay as they are.
 * @returns whether the stream was blocking and now is not
 */
export function unblock(stream: Writable, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'win32' || !Object.hasOwn(stream, '_write')) return false;
  const handle: unknown = Reflect.get(stream, '_handle');
  if (!isHandle(handle) || handle.setBlocking(false) !== 0) return false;
  // Node's synchronous writers lie over those of its sockets.
  Reflect.deleteProperty(stream, '_write');
  Reflect.deleteProperty(stream, '_writev');
  return true;
}
