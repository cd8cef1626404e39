/** The op protocol over HTTP/1.1: one request or a batch in a body, the answer lines streamed as they happen. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LIMITS } from '../../contract/limits.js';
import type { Core } from '../../runs/core.js';
import { parseObject } from '../../text/json.js';
import { type Connection, connection, type Trace } from '../ops/connection.js';
import { versionDocument } from '../ops/meta.js';
import { OP_NAMES } from '../ops/ops.js';
import { streamOut } from '../ops/stream-out.js';
import { BodyError, checkSize, checkType, readBody } from './body.js';
import { allowedOrigin, deny, type Guard } from './guard.js';

export interface HttpOptions {
  core: Core;
  host: string;
  /** 0: any that is free. */
  port: number;
  guard: Guard;
  /** A fresh one for each session. */
  trace: (() => Trace) | null;
  /** What answers at `/mcp`, made when it is first asked. */
  mcp?: () => Promise<Route>;
  /** Milliseconds for the headers and for all of the request to arrive. */
  timeouts?: { headers: number; request: number };
  /** Connections at once. */
  connections?: number;
}

/** Another protocol on the same server, behind the same guard. */
export interface Route {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
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
const CONNECTIONS = 1024;
const LINGER = 1000;
const JSON_TYPES = ['application/json'];
const BATCH_TYPES = ['application/x-ndjson', 'application/json'];

const PLAIN = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

const ALLOWED_HEADERS = [
  'authorization, content-type, idempotency-key',
  'mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, turnout-depth',
].join(', ');

/** Says so at once, and takes what is still being sent for a while: a reset would lose the answer. */
function tooLarge(request: IncomingMessage, response: ServerResponse, message: string): Promise<void> {
  const body = `${JSON.stringify({ kind: 'error', message })}\n`;
  response.writeHead(413, { ...PLAIN, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.write(body);
  return new Promise((resolve) => {
    const timer = setTimeout(over, LINGER);
    function over() {
      clearTimeout(timer);
      response.end();
      resolve();
    }
    request.on('close', over);
    request.on('end', over);
    request.removeAllListeners('data');
    request.resume();
  });
}

export function openHttp(options: HttpOptions): Promise<OpenHttp> {
  const { core, guard, trace } = options;
  const timeouts = options.timeouts ?? TIMEOUTS;
  let mcp: Promise<Route> | null = null;
  let closing = false;
  let answering = 0;
  let allAnswered: () => void = () => {};

  function answer(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
    if (response.headersSent || response.destroyed) return;
    response.writeHead(status, { ...PLAIN, 'content-type': 'application/json', ...headers });
    response.end(`${JSON.stringify(value)}\n`);
  }
  const fault = (response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) =>
    answer(response, status, { kind: 'error', message }, headers);

  /** A page that may call us also may read what we say. */
  function cors(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers;
    if (origin === undefined || !allowedOrigin(guard, origin)) return;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'mcp-session-id');
    response.setHeader('vary', 'Origin');
  }

  async function stream(request: IncomingMessage, response: ServerResponse, batch: boolean): Promise<void> {
    checkType(request, batch ? BATCH_TYPES : JSON_TYPES);
    const body = await readBody(request, LIMITS.frameLine);
    response.writeHead(200, { ...PLAIN, 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' });
    const one: Connection = connection({
      core,
      trace: trace?.() ?? null,
      scope: 'http',
      halts: false,
      out: streamOut(response, () => {
        if (!response.writableFinished) one.gone();
      }),
    });
    const key = request.headers['idempotency-key'];
    const requests = batch ? body.split('\n').filter((line) => line.trim() !== '') : [body.trim()];
    for (const text of requests) {
      if (text === '') one.malformed('empty request');
      else one.accept(typeof key === 'string' && !batch ? withKey(text, key) : text);
    }
    await one.idle();
    response.end();
  }

  function preflight(request: IncomingMessage, response: ServerResponse): void {
    const asked = request.headers['access-control-request-method'];
    if (!allowedOrigin(guard, request.headers.origin) || asked === undefined) return fault(response, 404, 'not found');
    response.writeHead(204, {
      ...PLAIN,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '600',
    });
    response.end();
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0];
    const health = path === '/health' && request.method === 'GET';
    cors(request, response);
    const denied = deny(guard, request.headers, health || request.method === 'OPTIONS');
    if (denied) {
      const challenge = denied.status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
      return fault(response, denied.status, denied.message, challenge);
    }
    if (request.method === 'OPTIONS') return preflight(request, response);
    if (health)
      return answer(response, 200, { status: closing ? 'draining' : 'ok', platform: 'turnout', version: core.version });
    if (closing) return fault(response, 503, 'the server is about to end', { 'retry-after': '1' });
    if (path === '/v1/agent/version' && request.method === 'GET')
      return answer(response, 200, versionDocument(core.version, OP_NAMES));
    if (path === '/v1/agent' && request.method === 'POST') return stream(request, response, false);
    if (path === '/v1/agent/batch' && request.method === 'POST') return stream(request, response, true);
    if (path === '/mcp' && options.mcp) {
      // Refused here, the answer is not lost to a reset.
      checkSize(request, LIMITS.frameLine);
      mcp ??= options.mcp();
      return (await mcp).handle(request, response);
    }
    fault(response, 404, 'not found');
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    answering += 1;
    route(request, response)
      .catch((error: unknown) => {
        if (!(error instanceof BodyError))
          return fault(
            response,
            500,
            `turnout itself failed: ${error instanceof Error ? error.message : String(error)}`,
          );
        if (error.status === 413) return tooLarge(request, response, error.message);
        fault(response, error.status, error.message);
      })
      .finally(() => {
        answering -= 1;
        if (answering === 0) allAnswered();
      });
  }

  const server: Server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      maxHeaderSize: 16 * 1024,
      requireHostHeader: true,
    },
    (request, response) => {
      handle(request, response);
    },
  );
  // Who asks before sending a large body is told at once.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= LIMITS.frameLine) response.writeContinue();
    handle(request, response);
  });
  server.maxConnections = options.connections ?? CONNECTIONS;
  server.on('clientError', (error, socket) => {
    const code = 'code' in error ? error.code : undefined;
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const status =
      code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : code === 'HPE_HEADER_OVERFLOW'
          ? '431 Request Header Fields Too Large'
          : '400 Bad Request';
    const body = `${JSON.stringify({ kind: 'error', message: status.slice(4).toLowerCase() })}\n`;
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
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
          closing = true;
          const answered = answering === 0 ? Promise.resolve() : new Promise<void>((all) => (allAnswered = all));
          return answered.then(
            () =>
              new Promise((closed) => {
                server.close(() => closed());
                server.closeIdleConnections();
              }),
          );
        },
        release: () => void mcp?.then((route) => route.close()),
        cut: () => server.closeAllConnections(),
      });
    });
  });
}

/** The header says the same as the key in the body, which wins. */
function withKey(text: string, key: string): string {
  const request = parseObject(text);
  return request === undefined ? text : JSON.stringify({ idempotency_key: key, ...request });
}
