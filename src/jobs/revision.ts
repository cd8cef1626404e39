/** The number that stands for one exact state of a job's change. An audit and a landing are bound to it. */

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { revisionDigest } from '../workspace/digest.js';
import { WorkspaceError } from '../workspace/failure.js';
import { JobError } from './failure.js';

export const OWN_DOMAIN = 'turnout.coding-revision.v1';
/** flyto-ai 0.20: with it, digests are the same byte for byte. */
export const FLYTO_DOMAIN = 'flyto.coding-revision.v1';

const MOST_PATHS = { [OWN_DOMAIN]: 20_000, [FLYTO_DOMAIN]: 512 };
const MOST_LENGTH = 1024;
const RESERVED = new Set(['.git', '.hg', '.svn', '.ssh']);

function refusePath(path: string, domain: string): string | null {
  const parts = path.split('/');
  if (path.length > MOST_LENGTH) return 'a path is longer than 1024 characters';
  if (path.startsWith('~') || path.includes('\\')) return `the path ${path} is not portable`;
  if (parts.some((part) => RESERVED.has(part.toLowerCase()))) return `${path} lies in a folder that is never landed`;
  if (domain === FLYTO_DOMAIN && parts.some((part) => part.startsWith('.env'))) return `${path} may hold secrets`;
  return null;
}

/**
 * @param root the copy
 * @param paths all files that the job changed, relative to it
 * @throws JobError revision_unavailable
 */
export async function revisionOf(root: string, paths: readonly string[], domain: string): Promise<string> {
  const unavailable = (why: string, cause?: unknown) => new JobError('revision_unavailable', why, {}, { cause });
  if (paths.length === 0) throw unavailable('the change is empty');
  const most = domain === FLYTO_DOMAIN ? MOST_PATHS[FLYTO_DOMAIN] : MOST_PATHS[OWN_DOMAIN];
  if (paths.length > most) throw unavailable(`the change has more than ${most} files`);
  for (const path of paths) {
    const why = refusePath(path, domain);
    if (why !== null) throw unavailable(why);
    if (domain !== FLYTO_DOMAIN) continue;
    const there = await lstat(join(root, path)).catch(() => null);
    if (there?.isSymbolicLink()) throw unavailable(`${path} is a link`);
  }
  try {
    return await revisionDigest(root, paths, domain);
  } catch (error) {
    if (error instanceof WorkspaceError) throw unavailable(error.message, error);
    // A folder where a file was, say: the copy is not what it was.
    throw unavailable('the copy can not be read', error);
  }
}
