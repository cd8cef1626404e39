/**
 * The log that a program writes into a file, heard as it grows. Gemini CLI (0.61) holds its stderr back over ACP until it
 * exits, and says in its log alone that it waits for the vendor.
 */

import { type FileHandle, open } from 'node:fs/promises';
import { lineSplitter } from '../text/lines.js';
import { codeOf } from './launch-error.js';

const POLL_MS = 200;
const CHUNK = 64 * 1024;
/** A longer line is dropped: what is waited for is short. */
const LONGEST_LINE = 64 * 1024;

export interface LogTail {
  /** Hears nothing more and closes the file. */
  stop(): void;
}

/**
 * @param path a file that exists
 * @param wanted the lines that are passed on; everything else is forgotten at once
 * @throws {Error} the file can't be opened
 */
export async function tailLog(path: string, wanted: RegExp, onLine: (line: string) => void): Promise<LogTail> {
  const file = await open(path, 'r');
  const lines = lineSplitter({
    max: LONGEST_LINE,
    onLine: (line) => {
      if (!over && wanted.test(line)) onLine(line);
    },
  });
  let position = 0;
  let over = false;
  let timer: NodeJS.Timeout | null = null;

  async function readOn(from: FileHandle): Promise<void> {
    while (!over) {
      const { bytesRead, buffer } = await from.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      lines.push(buffer.subarray(0, bytesRead));
    }
  }
  async function follow(): Promise<void> {
    try {
      await readOn(file);
    } catch (error) {
      over = true;
      onLine(`the log could not be read on (${codeOf(error) ?? 'unknown reason'})`);
    }
    if (over) await file.close();
    else later();
  }
  function later(): void {
    timer = setTimeout(() => {
      timer = null;
      void follow();
    }, POLL_MS);
    timer.unref();
  }
  later();

  return {
    stop() {
      if (over) return;
      over = true;
      if (timer === null) return; // a read is under way, and closes the file
      clearTimeout(timer);
      void file.close();
    },
  };
}
