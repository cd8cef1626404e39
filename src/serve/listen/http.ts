/**
 * The HTTP/1.1 listener: who may connect and ask, what is refused and how, and a clean end. What is answered, the mounted
 * surfaces know.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { CONNECTIONS, type ConnectionLimits, connections } from './connections.js';
import { dispatcher } from './dispatch.js';
import { allowedOrigin, type Guard, wrongSite } from './guard.js';
import { asProblem, Problem } from './problem.js';
import { refuse, refuseOnSocket } from './refuse.js';
import type { Surface } from './surface.js';
import { corsHeaders, preflightHeaders, rendererAt, surfaceAt } from './surfaces.js';
import { pathOf, readTarget } from './target.js';
import { upgrades } from './upgrade.js';

export interface HttpOptions {
  host: string;
  /** 0: any that is free. */
  port: number;
  guard: Guard;
  surfaces: readonly Surface[];
  /** Milliseconds for the headers and for all of the request to arrive. */
  timeouts?: { headers: number; request: number };
  connections?: ConnectionLimits;
  /** Called when an answer is out, or its caller left. */
  answered?(answer: Answered): void;
  /** Milliseconds between two pings on a WebSocket. */
  pingMs?: number;
}

/** What was answered. The path is without its query, which may hold secrets. */
export interface Answered {
  /** The name of the surface that is at home at the path; `none` where none is. */
  surface: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

export interface OpenHttp {
  host: string;
  port: number;
  /** Takes nothing new and waits for what is being answered. */
  close(): Promise<void>;
  /** Ends streams on which only news would come. */
  release(): void;
  /** Ends what is being answered. */
  cut(): void;
}

const TIMEOUTS = { headers: 10_000, request: 30_000 };
/** Silence after which the system asks whether the other side is still there. */
const KEEPALIVE_MS = 30_000;

/** For every answer, unless the surface says otherwise. */
const PLAIN = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

function problemOf(error: Error): Problem {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('timeout', 'request timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers-too-large', 'request header fields too large');
  return new Problem('malformed', 'bad request');
}

export function openHttp(options: HttpOptions): Promise<OpenHttp> {
  const { guard, surfaces } = options;
  const timeouts = options.timeouts ?? TIMEOUTS;
  const connected = connections(options.connections ?? CONNECTIONS);
  const ending = new AbortController();
  /** The request of each connection: there is one. */
  const asked = new WeakMap<Duplex, IncomingMessage>();
  const expecting = new WeakSet<IncomingMessage>();
  const refusing = new WeakSet<Duplex>();
  let draining = false;
  let answering = 0;
  let allAnswered: () => void = () => {};

  const admit = (request: IncomingMessage) => connected.known(request.socket);
  const shared = { guard, surfaces, ending: ending.signal, draining: () => draining, admit };
  const app = dispatcher({ ...shared, expectsContinue: (request) => expecting.has(request) });
  const { pingMs } = options;
  const sockets = upgrades({ ...shared, ...(pingMs === undefined ? {} : { pingMs }) });
  const answer = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });

  /** What is wrong with a request, whoever it is from. */
  const wrong = (request: IncomingMessage): Problem | null => readTarget(request) ?? wrongSite(guard, request.headers);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(PLAIN)) response.setHeader(name, value);
    const problem = wrong(request);
    const { origin } = request.headers;
    const listed = origin !== undefined && allowedOrigin(guard, origin);
    if (listed && !problem)
      for (const [name, value] of Object.entries(corsHeaders(surfaces, origin))) response.setHeader(name, value);
    const render = rendererAt(surfaces, pathOf(request));
    if (problem) return refuse(request, response, problem, render);
    if (request.method === 'OPTIONS') {
      const may = listed ? preflightHeaders(surfaces, request.headers) : null;
      if (may === null) return refuse(request, response, new Problem('not-found', 'not found'), render);
      response.writeHead(204, may).end();
      return;
    }
    await answer(request, response);
  }
  function answered(): void {
    answering -= 1;
    if (answering === 0) allAnswered();
  }
  function take(request: IncomingMessage, response: ServerResponse): void {
    // One request a connection: what is sent behind it is not run, since its answer would never be read.
    if (asked.has(request.socket)) return;
    asked.set(request.socket, request);
    answering += 1;
    const began = performance.now();
    response.on('close', () => {
      answered();
      const path = pathOf(request);
      const surface = surfaceAt(surfaces, path)?.name ?? 'none';
      const ms = Math.round(performance.now() - began);
      options.answered?.({ surface, method: request.method ?? '', path, status: response.statusCode, ms });
    });
    handle(request, response).catch((error: unknown) =>
      refuse(request, response, asProblem(error), rendererAt(surfaces, pathOf(request))),
    );
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      maxHeaderSize: 16 * 1024,
      requireHostHeader: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEPALIVE_MS,
    },
    take,
  );
  server.on('connection', (socket: Socket) => connected.opened(socket));
  server.on('checkContinue', (request, response) => {
    expecting.add(request);
    take(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (asked.has(socket)) return void socket.destroy();
    asked.set(socket, request);
    answering += 1;
    socket.on('close', answered);
    sockets.handle(request, socket, head, wrong(request)).catch((error: unknown) => {
      refuseOnSocket(socket, asProblem(error), rendererAt(surfaces, pathOf(request)));
    });
  });
  server.on('clientError', (error, socket) => {
    // More of what was refused already; the answer is still on its way.
    if (refusing.has(socket)) return;
    const code = 'code' in error ? error.code : undefined;
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    refusing.add(socket);
    const request = asked.get(socket);
    refuseOnSocket(socket, problemOf(error), rendererAt(surfaces, request ? pathOf(request) : ''));
  });

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      const address = server.address();
      if (typeof address !== 'object' || address === null) return reject(new Error('the server has no address'));
      resolve({
        host: address.address,
        port: address.port,
        close() {
          draining = true;
          const all = answering === 0 ? Promise.resolve() : new Promise<void>((resolve) => (allAnswered = resolve));
          return all.then(
            () =>
              new Promise((closed) => {
                server.close(() => closed());
                connected.cut();
              }),
          );
        },
        release() {
          ending.abort();
          sockets.close();
          for (const surface of surfaces) void surface.close?.();
        },
        cut: () => connected.cut(),
      });
    });
  });
}
