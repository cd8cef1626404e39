/**
 * The MCP bridge: a private socket that `turnout __mcp-bridge`, started by a runtime as its MCP server, connects back to.
 * A one-time token in its environment tells ours from anybody else's connection.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '../contract/vocabulary.js';
import { parseObject } from '../text/json.js';
import { lineSplitter } from '../text/lines.js';

/** A message may carry a tool answer of any size the host sent. */
const MAX_LINE = 64 * 1024 * 1024;

export interface BridgeHandler {
  message(channel: string, message: JsonObject): void;
  closed(channel: string): void;
}

export interface OpenBridge {
  /** Environment of the bridge process. */
  env: Record<string, string>;
  send(channel: string, message: JsonObject): void;
  close(): Promise<void>;
}

const sameToken = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * @param dir a private 0700 folder with a short path (sockets take about 100 bytes)
 * @throws when the socket can't be opened
 */
export async function openBridge(dir: string, handlers: BridgeHandler): Promise<OpenBridge> {
  const token = randomBytes(24).toString('hex');
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\turnout-${randomBytes(12).toString('hex')}` : join(dir, 'mcp.sock');
  const sockets = new Map<string, Socket>();
  let next = 1;
  const server: Server = createServer((socket) => {
    const channel = `bridge-${next++}`;
    let known = false;
    socket.on('error', () => socket.destroy());
    const lines = lineSplitter({
      max: MAX_LINE,
      onLine(text) {
        if (!known) {
          known = sameToken(text, token);
          if (known) sockets.set(channel, socket);
          else socket.destroy();
          return;
        }
        const message = parseObject(text);
        if (message) handlers.message(channel, message);
      },
      onDropped() {
        socket.destroy();
      },
    });
    socket.on('data', (chunk) => lines.push(chunk));
    socket.on('close', () => {
      if (!sockets.delete(channel)) return;
      handlers.closed(channel);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.on('error', () => {});
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return {
    env: { TURNOUT_MCP_BRIDGE: path, TURNOUT_MCP_BRIDGE_TOKEN: token },
    send(channel, message) {
      sockets.get(channel)?.write(`${JSON.stringify(message)}\n`);
    },
    close() {
      for (const socket of sockets.values()) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
