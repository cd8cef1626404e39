/** The secret that callers of the HTTP server show. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../process/make-folder.js';

/** A token that a server before us made, if nobody else may read or write it. */
function kept(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    const mine = process.getuid === undefined || stat.uid === process.getuid();
    const open = process.platform !== 'win32' && (stat.mode & 0o077) !== 0;
    const token = readFileSync(file, 'utf8').trim();
    return mine && !open && token.length >= 32 ? token : null;
  } finally {
    closeSync(file);
  }
}

/** The token in a private file; a fresh one when there is none that only we could have read. */
export function ownToken(path: string): string {
  const before = kept(path);
  if (before !== null) return before;
  makeFolder(dirname(path), 0o700);
  const token = randomBytes(32).toString('base64url');
  const fresh = `${path}.${process.pid}`;
  const file = openSync(fresh, 'w', 0o600);
  fchmodSync(file, 0o600);
  writeFileSync(file, `${token}\n`);
  closeSync(file);
  renameSync(fresh, path);
  return token;
}
