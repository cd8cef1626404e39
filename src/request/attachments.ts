/** `--image` and `--file`: pictures go beside the prompt, text files into it. */

import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UsageError } from '../contract/error.js';
import { LIMITS } from '../contract/limits.js';
import type { ImageFile } from '../runner/request.js';
import { whyUnreadable } from './input-file.js';
import type { Place } from './place.js';

const MIB = 1024 * 1024;

/** By the first bytes, whatever the name says. */
function mediaTypeOf(bytes: Uint8Array): ImageFile['mediaType'] | null {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif';
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'image/webp' : null;
}

/** @throws UsageError when it can't be read or is too large */
function bytesOf(given: string, path: string, limit: number, at: Place): Buffer {
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw at.fault('unreadable', `${given}: it is a folder`);
    if (found.size > limit) throw at.fault('size', `${given}: more than ${limit / MIB} MiB`);
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw at.fault('unreadable', `${given}: ${whyUnreadable(cause)}`, { cause });
  }
}

/** @throws UsageError */
export function readImages(paths: readonly string[], cwd: string, at: Place): ImageFile[] {
  return paths.map((given, index) => {
    const here = at.in(index);
    const path = resolve(cwd, given);
    const bytes = bytesOf(given, path, LIMITS.image, here);
    const mediaType = mediaTypeOf(bytes);
    if (mediaType === null) throw here.fault('form', `${given}: not a PNG, JPEG, GIF or WebP image`);
    return { path, mediaType, data: bytes.toString('base64') };
  });
}

/**
 * A picture that came as data.
 * @param given its media type, which must be what its bytes say; they alone decide where it is absent
 * @throws UsageError
 */
export function imageOf(data: string, given: string | undefined, at: Place): ImageFile {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data)) throw at.fault('form', 'not base64');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > LIMITS.image) throw at.fault('size', `more than ${LIMITS.image / MIB} MiB`);
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) throw at.fault('form', 'not a PNG, JPEG, GIF or WebP image');
  if (given !== undefined && given !== mediaType)
    throw at.fault('conflict', `the bytes are ${mediaType}, not ${given}`);
  return { path: null, mediaType, data: bytes.toString('base64') };
}

/** The files as text behind the prompt. @throws UsageError also for what is not a text */
export function withFiles(prompt: string, paths: readonly string[], cwd: string, at: Place): string {
  const parts = [prompt];
  for (const [index, given] of paths.entries()) {
    const here = at.in(index);
    const bytes = bytesOf(given, resolve(cwd, given), LIMITS.promptFile, here);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (cause) {
      throw here.fault('form', `${given}: not a text file in UTF-8`, { cause });
    }
    if (text.includes('\0')) throw here.fault('form', `${given}: not a text file in UTF-8`);
    parts.push(`<file name=${JSON.stringify(basename(given))}>\n${text}${text.endsWith('\n') ? '' : '\n'}</file>`);
  }
  const whole = parts.join('\n\n');
  if (paths.length > 0 && Buffer.byteLength(whole) > LIMITS.promptFile) {
    throw at.fault('size', `prompt and files together have more than ${LIMITS.promptFile / MIB} MiB`);
  }
  return whole;
}
