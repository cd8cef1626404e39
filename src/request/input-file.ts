/** Files that flags name, and stdin: read whole, up to a limit. */

// Not node:fs/promises, which takes 2 ms to load.
import fs from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../contract/error.js';
import type { Place } from './place.js';

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;
const open = promisify(fs.open);
const read = promisify(fs.read);
const close = promisify(fs.close);

/** @param error what opening or reading failed with */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read';
    case 'EISDIR':
      return 'it is a folder';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

const tooLarge = (at: Place, limit: number): UsageError => at.fault('size', `more than ${limit / MIB} MiB`);

/**
 * A byte order mark in front, as Windows editors write it, is not part of the text. `>` of Windows PowerShell 5.1 writes
 * UTF-16, which the mark tells; without one it is UTF-8.
 * @throws UsageError
 */
function decode(chunks: readonly Uint8Array[], at: Place): string {
  const bytes = Buffer.concat(chunks);
  const mark = bytes.subarray(0, 2).toString('hex');
  const coding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(coding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw at.fault('form', `not ${coding.toUpperCase()} text: save it as UTF-8`, { cause });
  }
}

async function readAll(fd: number, at: Place, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Not by its size: it may be a pipe (`<(command)`).
  for (;;) {
    const buffer = Buffer.alloc(CHUNK);
    // All arguments, since Yarn's patched file system reads nothing without them (4.18).
    const { bytesRead } = await read(fd, buffer, 0, CHUNK, null);
    if (bytesRead === 0) return decode(chunks, at);
    total += bytesRead;
    if (total > limit) throw tooLarge(at, limit);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/**
 * @param limit in bytes
 * @throws UsageError when it can't be read, is too large or has nothing but blanks
 */
export async function readInputFile(path: string, cwd: string, at: Place, limit: number): Promise<string> {
  let fd: number | undefined;
  let text: string;
  try {
    fd = await open(resolve(cwd, path), 'r');
    text = await readAll(fd, at, limit);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw at.fault('unreadable', `${path}: ${whyUnreadable(cause)}`, { cause });
  } finally {
    if (fd !== undefined) await close(fd);
  }
  if (text.trim() === '') throw at.fault('empty', `${path}: the file is empty`);
  return text;
}

/** The same for stdin: everything up to its end. */
export async function readInputStream(
  stream: AsyncIterable<Uint8Array>,
  at: Place,
  limit: number,
  emptiness: 'is a fault' | 'may be empty' = 'is a fault',
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > limit) throw tooLarge(at, limit);
    chunks.push(chunk);
  }
  const text = decode(chunks, at);
  if (emptiness === 'is a fault' && text.trim() === '') throw at.fault('empty', 'stdin is empty');
  return text;
}
