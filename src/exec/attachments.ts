/** `--image` and `--file`: pictures go beside the prompt, text files into it. */

import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UsageError } from '../contract/error.js';
import { LIMITS } from '../contract/limits.js';
import type { ImageFile } from '../runner/request.js';

const MIB = 1024 * 1024;

/** By the first bytes, whatever the name says. */
function mediaTypeOf(bytes: Uint8Array): ImageFile['mediaType'] | null {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif';
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'image/webp' : null;
}

/** @throws {UsageError} naming the option, when it can't be read or is too large */
function bytesOf(option: string, path: string, limit: number): Buffer {
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new UsageError(`${option} ${path}: it is a folder`);
    if (found.size > limit) throw new UsageError(`${option} ${path}: more than ${limit / MIB} MiB`);
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new UsageError(
      `${option} ${path}: ${code === 'ENOENT' ? 'there is no such file' : `can't be read (${code})`}`,
      {
        cause,
      },
    );
  }
}

/** @param option how the caller names it, for messages @throws {UsageError} */
export function readImages(paths: readonly string[], cwd: string, option: string): ImageFile[] {
  return paths.map((given) => {
    const path = resolve(cwd, given);
    const bytes = bytesOf(option, path, LIMITS.image);
    const mediaType = mediaTypeOf(bytes);
    if (mediaType === null) throw new UsageError(`${option} ${given}: not a PNG, JPEG, GIF or WebP image`);
    return { path, mediaType, data: bytes.toString('base64') };
  });
}

/** The files as text behind the prompt. @throws {UsageError} also for what is no text */
export function withFiles(prompt: string, paths: readonly string[], cwd: string, option: string): string {
  const parts = [prompt];
  for (const given of paths) {
    const bytes = bytesOf(option, resolve(cwd, given), LIMITS.promptFile);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (cause) {
      throw new UsageError(`${option} ${given}: not a text file in UTF-8`, { cause });
    }
    if (text.includes('\0')) throw new UsageError(`${option} ${given}: not a text file in UTF-8`);
    parts.push(`<file name=${JSON.stringify(basename(given))}>\n${text}${text.endsWith('\n') ? '' : '\n'}</file>`);
  }
  const whole = parts.join('\n\n');
  if (Buffer.byteLength(whole) > LIMITS.promptFile) {
    throw new UsageError(`${option}: prompt and files together have more than ${LIMITS.promptFile / MIB} MiB`);
  }
  return whole;
}
