/** The folder a turn would work in, as a repository: the user's own, or a hidden one around a folder without git. */

import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { WorkspaceError } from './failure.js';
import { type GitOptions, git } from './git.js';

export interface Repository {
  kind: 'git' | 'folder';
  /** The files; absolute real path. */
  workTree: string;
  gitDir: string;
  /** Its object store. */
  objects: string;
  /** Its index; absent in a repository that has none yet. */
  index: string | null;
  /** Where the caller stood below `workTree`, `''` at its top; ends with `/` otherwise. */
  prefix: string;
  /** sha1 or sha256. */
  format: string;
}

/** Commands on it name it, so that no `.git` file that an agent wrote is believed. */
export function on(repository: Repository, workTree = repository.workTree): GitOptions {
  return { cwd: workTree, gitDir: repository.gitDir, workTree };
}

async function ask(cwd: string, ...args: string[]): Promise<string | null> {
  const { code, text } = await git(['rev-parse', ...args], { cwd, ok: [0, 128] });
  return code === 0 ? text : null;
}

/**
 * @param cwd an existing folder
 * @param hidden where the repository around a plain folder is made
 * @throws WorkspaceError `unsupported` in a bare repository
 */
export async function openRepository(cwd: string, hidden: string): Promise<Repository> {
  const real = await realpath(cwd);
  const gitDir = await ask(real, '--absolute-git-dir');
  if (gitDir === null) return aroundFolder(real, hidden);
  const top = await ask(real, '--show-toplevel');
  if (top === null || top === '') {
    throw new WorkspaceError('unsupported', `${real} is inside a bare repository; name a folder with files`);
  }
  const workTree = await realpath(top);
  const inGit = async (path: string) => resolve(real, (await ask(real, '--git-path', path)) ?? path);
  const index = await inGit('index');
  return {
    kind: 'git',
    workTree,
    gitDir,
    objects: await inGit('objects'),
    index: existsSync(index) ? index : null,
    prefix: (await ask(real, '--show-prefix')) ?? '',
    format: (await ask(real, '--show-object-format')) ?? 'sha1',
  };
}

async function aroundFolder(folder: string, hidden: string): Promise<Repository> {
  await mkdir(hidden, { recursive: true, mode: 0o700 });
  if (!existsSync(join(hidden, 'HEAD'))) {
    await git(['init', '--quiet', '--bare', '--template=', hidden], { cwd: hidden });
  }
  return {
    kind: 'folder',
    workTree: folder,
    gitDir: hidden,
    objects: join(hidden, 'objects'),
    index: null,
    prefix: '',
    format: 'sha1',
  };
}
