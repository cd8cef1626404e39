/**
 * Notices that whoever read our stdout is gone, without writing to it.
 *
 * A socket that nobody holds at the other end refuses even an empty write (EPIPE). A pipe takes an empty write in
 * silence, and only `poll` tells; Node offers `poll` nowhere but in its WASI, so a module of one import asks there.
 * Opening /proc/self/fd/1 without blocking tells nothing: Linux reports ENXIO for named pipes alone.
 * Seen on Linux with Node 20 and 24. On Windows there is no such question: the next write tells, or the parent's end.
 */

import { fstatSync, writeSync } from 'node:fs';
import { isPipe } from './file-kind.js';

declare global {
  /** The part used here; the browser's types, which have all of it, are not loaded. */
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Memory {
      readonly buffer: ArrayBuffer;
    }
    class Instance {
      constructor(module: Module, imports: object);
      readonly exports: Readonly<Record<string, unknown>>;
    }
  }
}

const EVERY = 1000;
const STDOUT = 1;
/** Nanoseconds that `poll` may take: a full pipe that is still read from gives no answer at all. */
const PATIENCE = 1_000_000n;

/**
 * (module (import "wasi_snapshot_preview1" "poll_oneoff" (func (param i32 i32 i32 i32) (result i32)))
 *   (memory (export "memory") 1) (func (export "_start")) (export "poll" (func 0)))
 */
const MODULE = Buffer.from(
  'AGFzbQEAAAABDAJgBH9/f38Bf2AAAAImARZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxC3BvbGxfb25lb2ZmAAADAgEBBQMBAAEHGgMGbWVtb3J5AgAEcG9sbAAABl9zdGFydAABCgQBAgAL',
  'base64',
);
/** Where in the module's memory the two subscriptions, the events and their number stand. */
const SUBSCRIPTION = 48;
const EVENTS = 1024;
const COUNT = 2048;
const FD_WRITE = 2;

/**
 * Calls `onGone` once, at most a little over a second after the last reader of our stdout closed it. It does not keep
 * us alive. Where stdout is neither a pipe nor a socket, and on Windows, it never does.
 * @returns a function that stops the watch
 */
export function watchReader(onGone: () => void, options: { everyMs?: number } = {}): () => void {
  const kind = process.platform === 'win32' ? null : kindOf(STDOUT);
  if (kind === null) return () => undefined;
  let isGone: (() => boolean) | null = null;
  const timer = setInterval(() => {
    // Loaded here, so that a short turn does without.
    isGone ??= kind === 'socket' ? () => refusesEmptyWrite(STDOUT) : pipePoll(STDOUT);
    if (!isGone()) return;
    clearInterval(timer);
    onGone();
  }, options.everyMs ?? EVERY).unref();
  return () => clearInterval(timer);
}

function kindOf(fd: number): 'pipe' | 'socket' | null {
  try {
    const stat = fstatSync(fd);
    return isPipe(stat) ? 'pipe' : stat.isSocket() ? 'socket' : null;
  } catch {
    return null;
  }
}

/** A peer that only ended its own sending still takes it. */
function refusesEmptyWrite(fd: number): boolean {
  try {
    writeSync(fd, Buffer.alloc(0));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');
  }
}

/** @returns whether a pipe has no reader left; a question that can't be asked is answered with no */
function pipePoll(fd: number): () => boolean {
  const wasi = quietly(() => {
    const { WASI } = process.getBuiltinModule('node:wasi');
    return new WASI({ version: 'preview1', stdin: fd, stdout: fd, stderr: fd });
  });
  const imports = { wasi_snapshot_preview1: wasi.wasiImport };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(MODULE), imports);
  wasi.start(instance);
  const { memory, poll } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof poll !== 'function') return () => false;
  const view = new DataView(memory.buffer);
  view.setBigUint64(0, 1n, true);
  view.setUint8(8, FD_WRITE);
  view.setUint32(16, fd, true);
  view.setUint32(SUBSCRIPTION + 16, 1, true);
  view.setBigUint64(SUBSCRIPTION + 24, PATIENCE, true);
  return () => {
    if (poll(0, EVENTS, 2, COUNT) !== 0 || view.getUint32(COUNT, true) === 0) return false;
    const isAboutPipe = view.getBigUint64(EVENTS, true) === 1n;
    return isAboutPipe && view.getUint16(EVENTS + 8, true) !== 0;
  };
}

/** Node warns on stderr that WASI is experimental, which is no news for who runs a turn. */
function quietly<T>(run: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
