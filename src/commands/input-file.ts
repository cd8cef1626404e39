/** Files that flags name: read whole, up to a limit, and told apart when they can't be. */

import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../contract/error.js';
import type { Json } from '../contract/vocabulary.js';
import { isTooDeep, MAX_DEPTH } from '../text/depth.js';

const MIB = 1024 * 1024;

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
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

function tooLarge(flag: string, limit: number): UsageError {
  return new UsageError(`--${flag}: more than ${limit / MIB} MiB`);
}

/** A byte order mark in front, as Windows editors write it, is not part of the text. */
function decode(chunks: readonly Uint8Array[]): string {
  return new TextDecoder('utf-8').decode(Buffer.concat(chunks));
}

async function readAll(handle: FileHandle, flag: string, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Not by its size: it may be a pipe (`<(command)`).
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024));
    if (bytesRead === 0) return decode(chunks);
    total += bytesRead;
    if (total > limit) throw tooLarge(flag, limit);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/**
 * @param flag for messages, without dashes
 * @param limit in bytes
 * @throws UsageError when it can't be read, is too large or has nothing but blanks
 */
export async function readInputFile(flag: string, path: string, cwd: string, limit: number): Promise<string> {
  let handle: FileHandle | undefined;
  let text: string;
  try {
    handle = await open(resolve(cwd, path), 'r');
    text = await readAll(handle, flag, limit);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--${flag} ${path}: ${reason(error)}`, { cause: error });
  } finally {
    await handle?.close();
  }
  if (text.trim() === '') throw new UsageError(`--${flag} ${path}: the file is empty`);
  return text;
}

/** The same for stdin: everything up to its end. */
export async function readInputStream(flag: string, stream: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > limit) throw tooLarge(flag, limit);
    chunks.push(chunk);
  }
  const text = decode(chunks);
  if (text.trim() === '') throw new UsageError(`--${flag} -: stdin is empty`);
  return text;
}

/** @throws UsageError that says where the text stops being JSON, without quoting it (it may hold keys) */
export function jsonOf(flag: string, text: string): Json {
  if (isTooDeep(text)) throw new UsageError(`--${flag}: it is nested deeper than ${MAX_DEPTH} levels`);
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    const at =
      error instanceof Error ? /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined;
    throw new UsageError(`--${flag}: not valid JSON${at === undefined ? '' : ` at ${at}`}`, { cause: error });
  }
}
