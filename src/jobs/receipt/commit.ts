/** Whether a commit is what a receipt states. */

import { createHash } from 'node:crypto';
import { git, zeroParts } from '../../workspace/git.js';
import { sha256 } from '../canonical.js';
import type { CheckedReceipt } from './check.js';
import { NotVerified } from './dsse.js';

export interface CommitTrailers {
  /** The whole id. */
  commit: string;
  job: string | null;
  run: string | null;
  revision: string | null;
}

/** @throws WorkspaceError `git` when there is no such commit */
export async function trailersIn(cwd: string, name: string): Promise<CommitTrailers> {
  const { text: commit } = await git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`], { cwd });
  const { text } = await git(['show', '-s', '--format=%(trailers:only,unfold)', commit], { cwd });
  const of = (key: string) => new RegExp(`^${key}: (.+)$`, 'm').exec(text)?.[1]?.trim() ?? null;
  return { commit, job: of('Agent-Job'), run: of('Agent-Run'), revision: of('Agent-Revision') };
}

/** The digest that the files of the commit have, by the recipe of the receipt. */
async function revisionIn(cwd: string, commit: string, { paths, domain }: CheckedReceipt): Promise<string> {
  const hash = createHash('sha256').update(`${domain}\n`);
  const sorted = [...new Set(paths)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const path of sorted) {
    const [entry = ''] = zeroParts((await git(['ls-tree', '-z', '--full-tree', commit, path], { cwd })).text);
    const [, mode, blob] = /^(\d+) blob ([0-9a-f]+)\t/.exec(entry) ?? [];
    if (mode === undefined || blob === undefined) {
      hash.update(`${path}\0absent\n`);
      continue;
    }
    const digest = sha256((await git(['cat-file', 'blob', blob], { cwd })).bytes);
    hash.update(`${path}\0present\0${mode === '120000' ? 'l' : mode === '100755' ? 'x' : '-'}\0${digest}\n`);
  }
  return hash.digest('hex');
}

/**
 * @returns `commit`: the very commit that landing made; `files`: another commit with exactly the files that were accepted
 * @throws NotVerified
 */
export async function checkCommit(
  cwd: string,
  { commit, job, run, revision }: CommitTrailers,
  receipt: CheckedReceipt,
): Promise<'commit' | 'files'> {
  const runs = JSON.stringify(receipt.predicate['runs'] ?? []);
  if (job !== receipt.job) throw new NotVerified(`the commit names another job than the receipt (${job ?? 'none'})`);
  if (revision !== `sha256:${receipt.revision}`) throw new NotVerified('the commit names another revision');
  if (run === null || !runs.includes(`"${run}"`))
    throw new NotVerified('the commit names a run that the receipt does not know');
  if (receipt.commit === commit) return 'commit';
  if ((await revisionIn(cwd, commit, receipt)) === receipt.revision) return 'files';
  throw new NotVerified('the files of the commit are not the ones that were accepted');
}
