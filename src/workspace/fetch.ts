/** Brings a commit of a repository elsewhere onto this machine: into a folder of ours, once per address, so that the next turn fetches little. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
import { randomHex } from '../process/random.js';
import { stateDir } from '../process/state-dir.js';
import { WorkspaceError } from './failure.js';
import { git } from './git.js';

export interface Remote {
  git: string;
  /** A branch, a tag or a commit; the default branch when absent. */
  ref?: string;
}

export interface Fetched {
  /** The folder to make copies from; it has no files of its own. */
  folder: string;
  commit: string;
  /** Lets the commit go once a copy holds it. */
  release(): Promise<void>;
}

const FETCH_MS = 10 * 60_000;

/** @throws WorkspaceError `git` with git's own words when it can't be fetched, `not-found` for a ref that it lacks */
export async function fetchRemote({ git: address, ref = 'HEAD' }: Remote, env: NodeJS.ProcessEnv): Promise<Fetched> {
  const name = createHash('sha256').update(address).digest('hex').slice(0, 32);
  const folder = join(stateDir(env), 'repositories', name);
  makeFolder(folder, 0o700);
  const gitDir = join(folder, '.git');
  const inside = { cwd: folder, gitDir, workTree: folder };
  await git(['init', '--quiet', '--template=', folder], { cwd: folder });
  const mine = `refs/turnout/fetched/${randomHex(8)}`;
  // A ref of its own: others may fetch from the same address at the same time.
  const asked = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-gc',
    '--',
    address,
    `+${ref}:${mine}`,
  ];
  await git(asked, { ...inside, overNetworkMs: FETCH_MS });
  const found = await git(['rev-parse', '--quiet', '--verify', `${mine}^{commit}`], { ...inside, ok: [0, 1, 128] });
  if (found.code !== 0) throw new WorkspaceError('not-found', `${ref} of ${address} is no commit`);
  return {
    folder,
    commit: found.text,
    release: async () => void (await git(['update-ref', '-d', mine], inside)),
  };
}
