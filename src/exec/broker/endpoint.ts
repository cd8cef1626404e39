/**
 * A model endpoint on loopback for one turn: it takes a token that is worth nothing elsewhere, and asks the vendor with the
 * real key, which stays in this process.
 */

import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { randomHex } from '../../process/random.js';
import { type Used, usageReader } from './usage.js';

export interface Endpoint {
  address: string;
  token: string;
  close(): Promise<void>;
}

export interface EndpointOptions {
  /** Where the vendor is, with the path that requests begin with. */
  upstream: URL;
  key: string;
  /** Why no request may go out any more, or null. */
  refuse(): string | null;
  /** One answer of the model is over. */
  used(used: Used): void;
}

/** Of one connection alone; `accept-encoding`, since an answer is read on its way. */
const HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host accept-encoding'.split(
    ' ',
  ),
);
/** Where vendors take a key from. */
const KEYS = ['x-api-key', 'x-goog-api-key', 'api-key', 'authorization'] as const;

const bare = (value: string): string => value.replace(/^Bearer\s+/i, '');

function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const sayError = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'turnout', code: 'turnout', message } }));
};

/** The same request with the key in the place of the token; null where the token is not there. */
function withKey(
  asked: IncomingMessage,
  path: URL,
  { key }: EndpointOptions,
  token: string,
): Record<string, string | string[]> | null {
  const headers: Record<string, string | string[]> = {};
  let known = false;
  for (const [name, value] of Object.entries(asked.headers)) {
    if (value === undefined || HOP.has(name)) continue;
    const isKey = KEYS.some((one) => one === name);
    if (isKey && typeof value === 'string') {
      if (!isToken(bare(value), token)) continue;
      known = true;
      headers[name] = value === bare(value) ? key : `Bearer ${key}`;
    } else headers[name] = value;
  }
  if (isToken(path.searchParams.get('key') ?? '', token)) {
    known = true;
    path.searchParams.set('key', key);
  }
  return known ? headers : null;
}

function forward(asked: IncomingMessage, response: ServerResponse, options: EndpointOptions, token: string): void {
  const { upstream, refuse, used } = options;
  // Joined as texts: what is asked for can't name another host.
  const url = new URL(`${upstream.origin}${(asked.url ?? '/').replace(/^\/*/, '/')}`);
  const below = upstream.pathname.replace(/\/*$/, '/');
  if (!url.pathname.startsWith(below)) return sayError(response, 404, `only what lies below ${below} is passed on`);
  const headers = withKey(asked, url, options, token);
  if (headers === null) return sayError(response, 401, 'this endpoint of turnout takes the token of its turn alone');
  const why = refuse();
  if (why !== null) return sayError(response, 403, why);
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  const out = send(url, { method: asked.method ?? 'GET', headers }, (answer) => {
    const reader = usageReader(/event-stream/.test(answer.headers['content-type'] ?? ''));
    const decoder = new StringDecoder('utf8');
    const told = Object.entries(answer.headers).filter(([name]) => !HOP.has(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(told));
    answer.on('data', (chunk: Buffer) => reader.push(decoder.write(chunk)));
    // What was used by then is spent, whether or not the rest came.
    answer.once('close', () => used(reader.end()));
    answer.once('aborted', () => response.destroy());
    answer.pipe(response);
  });
  out.on('error', (error) => {
    if (response.headersSent) response.destroy();
    else sayError(response, 502, `the vendor can't be reached: ${error.message}`);
  });
  response.once('close', () => out.destroy());
  asked.pipe(out);
}

/** @throws when no port can be had */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const token = `turnout-${randomHex(24)}`;
  const server = createServer((asked, response) => {
    try {
      forward(asked, response, options, token);
    } catch (error) {
      sayError(response, 400, error instanceof Error ? error.message : String(error));
    }
  });
  // A model may think for as long as it likes.
  Object.assign(server, { requestTimeout: 0, timeout: 0 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
