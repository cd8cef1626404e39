/** A caller of a server on a unix socket that reads line by line, and may lose the server at any time. */

import { connect } from 'node:net';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';

export interface Lines {
  send(request: JsonObject): void;
  /** The next line; null once the server is gone. */
  next(): Promise<JsonObject | null>;
  /** Sends and reads up to `done`; what came until the server went away otherwise. */
  ask(request: JsonObject): Promise<JsonObject[]>;
  close(): void;
}

export function lines(path: string): Lines {
  const socket = connect(path);
  const waiting: ((line: JsonObject | null) => void)[] = [];
  const read: (JsonObject | null)[] = [];
  let gone = false;
  const take = (line: JsonObject | null) => {
    const resolve = waiting.shift();
    if (resolve) resolve(line);
    else read.push(line);
  };
  // A server that was killed: its end comes as `close`.
  socket.on('error', () => {});
  socket.on('close', () => {
    gone = true;
    for (const resolve of waiting.splice(0)) resolve(null);
  });
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) take(parseObject(part) ?? null);
  });
  function next(): Promise<JsonObject | null> {
    const line = read.shift();
    if (line !== undefined) return Promise.resolve(line);
    return gone ? Promise.resolve(null) : new Promise((resolve) => waiting.push(resolve));
  }
  return {
    send: (request) => void socket.write(`${JSON.stringify(request)}\n`),
    next,
    async ask(request) {
      socket.write(`${JSON.stringify(request)}\n`);
      const seen: JsonObject[] = [];
      for (let line = await next(); line !== null; line = await next()) {
        seen.push(line);
        if (line['kind'] === 'done') break;
      }
      return seen;
    },
    close: () => void socket.destroy(),
  };
}
