/** A surface of lines over a Unix socket, or a named pipe on Windows: every connection is a session of its own. */

import { chmodSync, linkSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { makeFolder } from '../../process/make-folder.js';
import type { LineSession, OpenLines } from './lines.js';
import { readLines } from './read-lines.js';
import { streamOut } from './stream-out.js';

/** Why the socket can't be opened. */
export class SocketError extends Error {}

/** The address is a fixed field: 108 bytes on Linux, 104 elsewhere, with the final NUL. */
const LONGEST = process.platform === 'linux' ? 107 : 103;
const CONNECTIONS = 256;
const WATCH_MS = 250;

export interface SocketOptions {
  /** Called once for each caller. */
  session: OpenLines;
  path: string;
}

export interface OpenSocket {
  path: string;
  /** Takes nobody new and waits for those who are there. */
  close(): Promise<void>;
  /** Ends those who are there. */
  cut(): void;
}

function alive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.on('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', (error) => {
      // Anything but "nobody listens" is taken for somebody.
      const code = 'code' in error ? error.code : undefined;
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

/** Makes room for the socket: only a socket that nobody answers is removed. @throws SocketError */
async function clear(path: string): Promise<void> {
  let stat: ReturnType<typeof lstatSync>;
  try {
    stat = lstatSync(path);
  } catch {
    return;
  }
  if (!stat.isSocket()) throw new SocketError(`${path} is there already and is no socket`);
  if (await alive(path)) throw new SocketError(`address in use: another server listens at ${path}`);
  unlinkSync(path);
}

/**
 * A caller that said all it has to say and one that is gone look the same to a reader. An empty write tells them apart,
 * and is nothing to one that still listens.
 */
function watch(socket: Socket): void {
  const timer = setInterval(() => socket.write(''), WATCH_MS);
  socket.on('close', () => clearInterval(timer));
  socket.on('finish', () => clearInterval(timer));
}

/** A named pipe can't be closed by half: its caller would wait for our end, and we for theirs. */
function hangUp(socket: Socket): void {
  socket.end(() => {
    if (process.platform === 'win32') socket.destroy();
  });
}

interface LineServer {
  server: Server;
  close(): Promise<void>;
  cut(): void;
}

/** Every connection is a session. */
function lineServer(session: OpenLines): LineServer {
  const open = new Map<Socket, LineSession>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const one: LineSession = session(streamOut(socket, () => one.gone()));
    open.set(socket, one);
    socket.on('close', () => open.delete(socket));
    socket.on('end', () => watch(socket));
    void Promise.race([readLines(socket, one), one.halted])
      .then(() => one.end())
      .then(() => hangUp(socket));
  });
  server.maxConnections = CONNECTIONS;
  return {
    server,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const [socket, one] of open) void one.end().then(() => hangUp(socket));
      }),
    cut() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

/** @throws SocketError */
async function listen(server: Server, at: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new SocketError(`${at} can't be listened at: ${error.message}`)));
    server.listen(at, resolve);
  });
}

/** `\\.\pipe\NAME`, with no further backslash. */
const PIPE = /^\\\\[.?]\\pipe\\[^\\]{1,200}$/i;

/**
 * The same over a named pipe of Windows. As libuv makes it (1.51), its owner and administrators may write to it, nobody
 * else, and it is the first of its name or fails.
 * @throws SocketError
 */
async function openPipe(options: SocketOptions): Promise<OpenSocket> {
  const { session, path } = options;
  if (!PIPE.test(path)) throw new SocketError(`on Windows the socket is a named pipe: \\\\.\\pipe\\NAME, not ${path}`);
  const { server, ...rest } = lineServer(session);
  await listen(server, path);
  return { path, ...rest };
}

/** @throws SocketError */
export async function openSocket(options: SocketOptions): Promise<OpenSocket> {
  if (process.platform === 'win32') return openPipe(options);
  const { session, path } = options;
  const bytes = Buffer.byteLength(`${path}.${process.pid}`);
  if (bytes > LONGEST)
    throw new SocketError(
      `the path of the socket is too long: with our pid ${bytes} bytes; the system takes ${LONGEST}`,
    );
  // Only what we make is private; an existing folder is the person's own.
  makeFolder(dirname(path), 0o700);
  await clear(path);

  const { server, close, cut } = lineServer(session);
  // Bound beside its place and put there when it is private: nobody connects before, and Node, which removes what it
  // bound when it closes, removes nobody else's socket.
  const beside = `${path}.${process.pid}`;
  await listen(server, beside);
  chmodSync(beside, 0o600);
  try {
    linkSync(beside, path);
    unlinkSync(beside);
  } catch (error) {
    server.close();
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new SocketError(`address in use: another server listens at ${path}`);
    throw new SocketError(`${path} can't be listened at: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { ino, dev } = lstatSync(path);

  return {
    path,
    cut,
    async close() {
      try {
        const now = lstatSync(path);
        if (now.ino === ino && now.dev === dev) unlinkSync(path);
      } catch {
        // Somebody removed it.
      }
      await close();
    },
  };
}
