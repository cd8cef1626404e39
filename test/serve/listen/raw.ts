/** An HTTP server over a fake core, and clients that do what no library would. */

import { connect, type Socket } from 'node:net';
import { OWNER } from '../../../src/contract/principal.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { type HttpOptions, type OpenHttp, openHttp } from '../../../src/serve/listen/http.js';
import { keyring } from '../../../src/serve/listen/keys.js';
import { healthSurface } from '../../../src/serve/observe/health.js';
import { opsSurface } from '../../../src/serve/ops/surface.js';
import { parseObject } from '../../../src/text/json.js';
import { type Stage, stage } from '../../runs/fake-turn.js';

export const TOKEN = 's3cret-s3cret';

export interface Site extends Stage {
  open: OpenHttp;
  /** `fetch` with the token. */
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  url(path: string): string;
}

export async function site(options: Partial<HttpOptions> = {}): Promise<Site> {
  const on = stage();
  const open = await openHttp({
    host: '127.0.0.1',
    port: 0,
    surfaces: [
      healthSurface({ version: '0.0.0', degraded: () => null, platform: 'turnout' }),
      opsSurface({ core: on.core }),
    ],
    guard: {
      identify: keyring([{ secret: TOKEN, principal: OWNER }]),
      hosts: [],
      anyAddress: false,
      origins: ['https://app.test'],
    },
    ...options,
  });
  const url = (path: string) => `http://127.0.0.1:${open.port}${path}`;
  return {
    ...on,
    open,
    url,
    post: (path, body, headers = {}) =>
      fetch(url(path), {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      }),
  };
}

/** A body as JSON. */
export async function json(response: Response): Promise<JsonObject> {
  return parseObject(await response.text()) ?? {};
}

/** Sends bytes and gives all that comes back until the server closes, and the socket for more. */
export function raw(port: number, first: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  socket.write(first);
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  return { socket, answer };
}

export const head = (line: string, headers: Record<string, string> = {}): string =>
  `${line} HTTP/1.1\r\n${Object.entries({ Host: 'localhost', Authorization: `Bearer ${TOKEN}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
