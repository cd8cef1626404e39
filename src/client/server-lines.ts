/** One request to a server over HTTP, and the lines of its answer. */

import { TurnoutError } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { num, obj, parseObject, str } from '../text/json.js';
import { lineSplitter } from '../text/lines.js';
import { readEvent } from '../text/read-event.js';

/** A server refused a request, or its answer broke off. */
export class ServerError extends TurnoutError {
  /** The HTTP status; 200 when the refusal is in the answer itself, null when there was none. */
  readonly status: number | null;
  /** The server's own code, where it gave one. */
  readonly serverCode: string | null;
  constructor(message: string, options: { status: number | null; serverCode?: string | undefined; cause?: unknown }) {
    super('runner-error', message, { cause: options.cause });
    this.name = 'ServerError';
    this.status = options.status;
    this.serverCode = options.serverCode ?? null;
  }
}

/** One line of an answer. */
export type Line =
  | { kind: 'event'; seq: number; event: Event | null }
  | { kind: 'gap'; to: number }
  | { kind: 'progress' | 'result'; fields: JsonObject };

/** Four times what a line may have. */
const LONGEST = 64 * 1024 * 1024;

export interface Address {
  /** `http://127.0.0.1:9090` */
  url: string;
  token?: string;
}

function readLine(line: JsonObject | undefined): Line | null {
  switch (str(line, 'kind')) {
    case 'event':
      return { kind: 'event', seq: num(line, 'seq') ?? 0, event: readEvent(JSON.stringify(obj(line, 'event'))) };
    case 'gap':
      return { kind: 'gap', to: num(line, 'to') ?? 0 };
    case 'progress':
      return { kind: 'progress', fields: line ?? {} };
    case 'result':
      return { kind: 'result', fields: line ?? {} };
    case 'error': {
      const message = str(line, 'message') ?? 'the server refused the request';
      throw new ServerError(message, { status: 200, serverCode: str(line, 'code') });
    }
    default:
      return null;
  }
}

/** @throws {ServerError} no answer, a refusal, or an answer without its last line */
export async function* request(address: Address, body: JsonObject, signal: AbortSignal | null): AsyncGenerator<Line> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (address.token !== undefined) headers.set('authorization', `Bearer ${address.token}`);
  const url = `${address.url.replace(/\/+$/, '')}/v1/agent`;
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  } catch (cause) {
    throw new ServerError(`no answer from ${address.url}`, { status: null, cause });
  }
  if (response.status !== 200) {
    const message = str(parseObject(await response.text()), 'message') ?? response.statusText;
    throw new ServerError(message, { status: response.status });
  }
  const lines: string[] = [];
  const splitter = lineSplitter({ max: LONGEST, onLine: (text) => lines.push(text), onDropped: () => {} });
  try {
    for await (const chunk of response.body ?? []) {
      splitter.push(chunk);
      for (const text of lines.splice(0)) {
        const said = parseObject(text);
        if (str(said, 'kind') === 'done') return;
        const line = readLine(said);
        if (line) yield line;
      }
    }
  } catch (cause) {
    if (cause instanceof ServerError) throw cause;
    throw new ServerError(`the answer of ${address.url} broke off`, { status: null, cause });
  }
  throw new ServerError(`the answer of ${address.url} ended before its last line`, { status: null });
}
