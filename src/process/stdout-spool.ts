/**
 * Stdout by way of a file. A Node program that prints a big result and exits loses what does not fit into the pipe
 * (219,264 bytes, measured on Node 20); into a file it writes all of it.
 */

import { createWriteStream, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { codeOf, LaunchError } from './launch-error.js';

const POLL = 30;
const CHUNK = 64 * 1024;

export interface Spool {
  /** For the child's stdout. Appending, so that a program that opens /dev/stdout again overwrites nothing. */
  readonly output: Writable;
  /** The child has its own copy of `output`: closes ours and begins to read. */
  start(): void;
  pause(): void;
  resume(): void;
  /** The program is gone: reads the rest (as fast as `pause` lets it) and closes. */
  finish(): Promise<void>;
  /** Nothing was started. */
  cancel(): Promise<void>;
}

/**
 * @param path a file that does not exist yet; made 0600
 * @throws {LaunchError} it could not be made
 */
export async function openSpool(path: string | undefined, onChunk: (chunk: Uint8Array) => void): Promise<Spool> {
  if (path === undefined) throw new LaunchError('other', 'stdout should go to a file, and no file was named');
  const { input, output } = await bothEnds(path);
  let position = 0;
  let timer: NodeJS.Timeout | null = null;
  let reading: Promise<void> = Promise.resolve();
  let paused = false;
  let wake: (() => void) | null = null;
  let over = false;

  async function readOn(): Promise<void> {
    while (!paused) {
      const { bytesRead, buffer } = await input.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      onChunk(buffer.subarray(0, bytesRead));
    }
  }

  function later(): void {
    timer = setTimeout(() => {
      reading = readOn().then(() => {
        if (!over) later();
      });
      reading.catch(() => undefined); // told by finish()
    }, POLL);
  }

  return {
    output,
    start() {
      output.destroy();
      later();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      wake?.();
      wake = null;
    },
    async finish() {
      over = true;
      if (timer) clearTimeout(timer);
      try {
        await reading;
        for (await readOn(); paused; await readOn()) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        await input.close();
      }
    },
    async cancel() {
      output.destroy();
      await input.close();
    },
  };
}

async function bothEnds(path: string): Promise<{ input: FileHandle; output: Writable }> {
  try {
    const output = createWriteStream(path, { fd: openSync(path, 'ax', 0o600) });
    return { output, input: await open(path, 'r') };
  } catch (error) {
    const code = codeOf(error);
    throw new LaunchError(
      'other',
      `the file for stdout could not be made (${code ?? 'unknown reason'}): ${path}`,
      code,
    );
  }
}
