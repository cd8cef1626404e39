/** What was typed → a prompt: `@file` brings the text of a file, or a picture. */

import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { readImages, withFiles } from '../request/attachments.js';
import { place } from '../request/place.js';
import { asFlags } from '../request/spelling.js';
import type { Prompt } from './session.js';

const PICTURES = ['.png', '.jpg', '.jpeg', '.gif', '.webp'];

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** `@path` and `@"path with blanks"`, and a pasted path that is a picture. */
function named(text: string, cwd: string): string[] {
  const found = [...text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const pasted = text
    .trim()
    .replace(/^'(.*)'$/s, '$1')
    .replaceAll('\\ ', ' ');
  const picture = PICTURES.includes(extname(pasted).toLowerCase()) && !pasted.includes('\n') ? [pasted] : [];
  return [...new Set([...found, ...picture])].filter((path) => isFile(resolve(cwd, path)));
}

/**
 * @param pictures paths of pictures that were attached otherwise
 * @throws {UsageError} a file that can't be read, or is too large
 */
export function readPrompt(text: string, cwd: string, pictures: readonly string[] = [], command = false): Prompt {
  const paths = named(text, cwd);
  const isPicture = (path: string) => PICTURES.includes(extname(path).toLowerCase());
  const images = [...paths.filter(isPicture), ...pictures];
  const texts = paths.filter((path) => !isPicture(path));
  return {
    text,
    whole: withFiles(text, texts, cwd, place(asFlags, ['files'])),
    images: readImages(images, cwd, place(asFlags, ['images'])),
    command,
  };
}
