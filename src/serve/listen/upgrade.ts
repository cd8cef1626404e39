/** WebSockets (RFC 6455) behind the same guard; the protocol itself is the work of ws. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Guard } from './guard.js';
import { Problem } from './problem.js';
import { refuseOnSocket } from './refuse.js';
import type { RequestHead, SocketRoute, Surface, Wire } from './surface.js';
import { callerOf, rendererAt, socketAt } from './surfaces.js';
import { pathOf, queryOf } from './target.js';

/** A caller that answers no ping for this long has vanished. */
const PING_MS = 30_000;

export interface UpgradeOptions {
  guard: Guard;
  surfaces: readonly Surface[];
  ending: AbortSignal;
  draining(): boolean;
  /** Gives the caller its place. @returns false when there is none */
  admit(request: IncomingMessage): boolean;
  pingMs?: number;
}

export interface Upgrades {
  /** @param refused why the request is refused already, or null */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, refused: Problem | null): Promise<void>;
  /** Closes all with 1001. */
  close(): void;
}

const offeredBy = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function wireOf(socket: WebSocket): Wire {
  return {
    send(text) {
      // An error means that the caller is gone; `close` follows.
      if (socket.readyState === socket.OPEN) socket.send(text, () => {});
    },
    get waiting() {
      return socket.bufferedAmount;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: (code, reason) => socket.close(code, reason),
  };
}

export function upgrades(options: UpgradeOptions): Upgrades {
  const { guard, surfaces, ending, pingMs = PING_MS } = options;
  const open = new Set<WebSocket>();

  /** @throws Problem */
  function check(request: IncomingMessage, head: RequestHead) {
    const route = socketAt(surfaces, head.path);
    const principal = callerOf(guard, surfaces, head, route?.evidence);
    if (principal === null) throw new Problem('unauthorized', 'unauthorized', { 'www-authenticate': 'Bearer' });
    if (request.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new Problem('malformed', 'connections are upgraded to websocket alone; leave the Upgrade header out');
    if (route === null) throw new Problem('not-found', 'not found');
    if (options.draining()) throw new Problem('draining', 'the server is about to end', { 'retry-after': '1' });
    const offered = offeredBy(request);
    const protocol = route.protocol?.(offered) ?? null;
    if (protocol === false || (protocol !== null && !offered.includes(protocol)))
      throw new Problem('malformed', 'none of the subprotocols is spoken here');
    if (!options.admit(request)) throw new Problem('busy', 'too many connections', { 'retry-after': '1' });
    return { route, principal, protocol };
  }
  function serve(socket: WebSocket, route: SocketRoute, exchange: Parameters<SocketRoute['open']>[0]): void {
    open.add(socket);
    let heard = true;
    const beat = setInterval(() => {
      if (!heard) return socket.terminate();
      heard = false;
      socket.ping();
    }, pingMs);
    const session = route.open(exchange, wireOf(socket));
    socket.on('pong', () => {
      heard = true;
    });
    socket.on('message', (data, binary) => {
      heard = true;
      if (binary && !route.binary) return socket.close(1003, 'text messages alone');
      session.message(data.toString());
    });
    // What breaks the protocol is answered by ws itself, and `close` follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(beat);
      open.delete(socket);
      session.closed();
    });
  }

  return {
    async handle(request, socket, head, refused) {
      // The caller may leave while we decide; that is all an error here can mean.
      const gone = () => socket.destroy();
      socket.on('error', gone);
      const given: RequestHead = {
        method: request.method ?? '',
        path: pathOf(request),
        query: queryOf(request),
        headers: request.headers,
      };
      try {
        if (refused) throw refused;
        const { route, principal, protocol } = check(request, given);
        const { WebSocketServer } = await import('ws');
        const server = new WebSocketServer({
          noServer: true,
          clientTracking: false,
          maxPayload: route.most,
          perMessageDeflate: false,
          handleProtocols: () => protocol ?? false,
        });
        socket.off('error', gone);
        server.handleUpgrade(request, socket, head, (one) => serve(one, route, { ...given, principal, ending }));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        refuseOnSocket(socket, error, rendererAt(surfaces, given.path));
      }
    },
    close() {
      for (const socket of open) socket.close(1001, 'the server ends');
    },
  };
}
