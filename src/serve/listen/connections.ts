/**
 * Who is connected. A connection that has not yet shown whom it is from gets a place of its own kind: there are few of those,
 * and a newcomer takes the place of the one that has idled longest. So whoever shows a token is served, however many others
 * hold connections open and say nothing.
 */

import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections that have shown whom they are from. */
  known: number;
  /** Connections that have not. */
  unknown: number;
}

export const CONNECTIONS: ConnectionLimits = { known: 1024, unknown: 256 };

export interface Connections {
  opened(socket: Socket): void;
  /** Its request is from somebody. @returns false when there is no room for one more */
  known(socket: Socket): boolean;
  /** Ends all of them. */
  cut(): void;
  readonly size: number;
}

export function connections(limits: ConnectionLimits): Connections {
  // Sets keep the order in which they were filled: the first is the oldest.
  const unknown = new Set<Socket>();
  const known = new Set<Socket>();
  let trimming = false;

  function trim(): void {
    trimming = false;
    for (const socket of unknown) {
      if (unknown.size <= limits.unknown) return;
      unknown.delete(socket);
      socket.destroy();
    }
  }
  return {
    opened(socket) {
      unknown.add(socket);
      socket.on('close', () => {
        unknown.delete(socket);
        known.delete(socket);
      });
      if (unknown.size <= limits.unknown || trimming) return;
      trimming = true;
      // Not at once: whoever came with its request in the same moment is read, and known, before anybody is ended.
      setImmediate(() => setImmediate(trim));
    },
    known(socket) {
      if (known.has(socket)) return true;
      if (known.size >= limits.known) return false;
      unknown.delete(socket);
      if (!socket.destroyed) known.add(socket);
      return true;
    },
    cut() {
      for (const socket of [...unknown, ...known]) socket.destroy();
    },
    get size() {
      return unknown.size + known.size;
    },
  };
}
