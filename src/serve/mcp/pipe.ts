/** MCP messages over a pair of streams, a line each. What is no message is answered with an error, and the next line is read. */

import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { LIMITS } from '../../contract/limits.js';
import { isTooDeep } from '../../text/depth.js';
import { at, isObject } from '../../text/json.js';
import { lineSplitter } from '../../text/lines.js';
import { idOfOversized } from '../../text/oversized.js';

const STATELESS = '2026-07-28';

export interface Pipe {
  transport: Transport;
  /** Resolves when nothing more will come, or nobody reads any more. */
  over: Promise<void>;
  /** Resolves when every request was answered or called off. */
  idle(): Promise<void>;
}

type Id = string | number;

function idOf(value: unknown): Id | null {
  const id = isObject(value) ? value['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function pipe(input: Readable, output: Writable): Pipe {
  const open = new Set<Id>();
  let closed = false;
  let waiting: (() => void)[] = [];
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });

  function settled(id: Id | null): void {
    if (id !== null) open.delete(id);
    if (open.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }
  function write(message: object): Promise<void> {
    if (closed || output.destroyed || output.writableEnded) return Promise.resolve();
    return new Promise((resolve) => output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
  function fail(id: Id | null, code: number, message: string, data?: object): void {
    void write({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }
  function take(line: string): void {
    if (line.trim() === '') return;
    if (isTooDeep(line)) return fail(null, ProtocolErrorCode.InvalidRequest, 'the message is nested too deep');
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return fail(null, ProtocolErrorCode.ParseError, 'the line is not JSON');
    }
    const id = idOf(value);
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return fail(id, ProtocolErrorCode.InvalidRequest, 'the line is no JSON-RPC 2.0 message');
    }
    // The SDK looks at the version of a connection's first request alone.
    const version = isObject(value) ? at(value, 'params', '_meta', PROTOCOL_VERSION_META_KEY) : undefined;
    if (id !== null && 'method' in message && typeof version === 'string' && version !== STATELESS) {
      const data = { supported: [STATELESS], requested: version };
      return fail(id, ProtocolErrorCode.UnsupportedProtocolVersion, `unsupported protocol version ${version}`, data);
    }
    if ('method' in message) {
      if (id !== null) open.add(id);
      else if (message.method === 'notifications/cancelled') {
        const { requestId } = message.params ?? {};
        settled(typeof requestId === 'string' || typeof requestId === 'number' ? requestId : null);
      }
    }
    transport.onmessage?.(message);
  }

  const transport: Transport = {
    async start() {
      const lines = lineSplitter({
        max: LIMITS.frameLine,
        onLine: take,
        onDropped: (_, head) =>
          fail(
            idOfOversized(head),
            ProtocolErrorCode.InvalidRequest,
            `the message is larger than ${LIMITS.frameLine} bytes`,
          ),
      });
      input.on('data', (chunk: Buffer) => lines.push(chunk));
      input.on('end', () => {
        lines.end();
        end();
      });
      input.on('close', end);
      input.on('error', end);
      output.on('error', end);
      output.on('close', end);
    },
    async send(message) {
      await write(message);
      if (!('method' in message)) settled(idOf(message));
    },
    async close() {
      if (closed) return;
      closed = true;
      input.removeAllListeners('data');
      input.pause();
      end();
      transport.onclose?.();
    },
  };
  return {
    transport,
    over,
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
