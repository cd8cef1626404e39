/** One number for a revision: which files changed, whether they can be run, and what is in them. */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from './failure.js';

const DIGEST_DOMAIN = 'turnout.coding-revision.v1';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** The bytes of a file that stays the same while it is read. */
async function contentOf(path: string): Promise<{ bytes: Uint8Array; executable: boolean }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw new WorkspaceError('refused-change', `not a regular file: ${path}`);
    const bytes = await file.readFile();
    const after = await file.stat({ bigint: true });
    if (after.mtimeNs !== before.mtimeNs || after.size !== before.size) {
      throw new WorkspaceError('changed-meanwhile', `${path} changed while it was being read`);
    }
    return { bytes, executable: (before.mode & 0o111n) !== 0n };
  } finally {
    await file.close();
  }
}

/**
 * The recipe of flyto-ai 0.20 with a domain string: `DOMAIN\n`, then per path, sorted, `PATH\0absent\n` or
 * `PATH\0present\0(x|-)\0SHA256\n`. A link is `l` with the digest of its target.
 * @param root the copy
 * @param paths relative, `/` between names
 * @returns 64 hexadecimal digits
 * @throws WorkspaceError for a file that is not regular or changes meanwhile
 */
export async function revisionDigest(root: string, paths: readonly string[], domain = DIGEST_DOMAIN): Promise<string> {
  const hash = createHash('sha256').update(`${domain}\n`);
  const sorted = [...new Set(paths)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const path of sorted) {
    const full = join(root, path);
    const stat = await lstat(full).catch(() => null);
    if (stat === null) hash.update(`${path}\0absent\n`);
    else if (stat.isSymbolicLink()) hash.update(`${path}\0present\0l\0${sha256(await readlink(full))}\n`);
    else {
      const { bytes, executable } = await contentOf(full);
      hash.update(`${path}\0present\0${executable ? 'x' : '-'}\0${sha256(bytes)}\n`);
    }
  }
  return hash.digest('hex');
}
