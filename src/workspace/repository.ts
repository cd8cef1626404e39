/** The folder a turn would work in, as a repository: the user's own, or a hidden one around a folder without git. */

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
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

/** All that is asked of it at once: each start of git costs some milliseconds. Null outside of a repository. */
async function ask(cwd: string, ...what: string[]): Promise<string[] | null> {
  const { code, text } = await git(['rev-parse', ...what], { cwd, ok: [0, 128] });
  if (code !== 0) return null;
  const answers = text.split('\n');
  if (answers.length <= what.filter((word) => word.startsWith('--')).length) return answers;
  throw new WorkspaceError('unsupported', `the path of the repository holds a line break: ${cwd}`);
}

/**
 * @param cwd an existing folder
 * @param hidden where the repository around a plain folder is made
 * @throws WorkspaceError `unsupported` in a bare repository
 */
export async function openRepository(cwd: string, hidden: string): Promise<Repository> {
  const real = await realpath(cwd);
  const paths = ['--git-path', 'index', '--git-path', 'objects'];
  const [gitDir, index = '', objects = '', format = 'sha1'] =
    (await ask(real, '--absolute-git-dir', ...paths, '--show-object-format')) ?? [];
  if (gitDir === undefined) return aroundFolder(real, hidden);
  const [top = '', prefix = ''] = (await ask(real, '--show-toplevel', '--show-prefix')) ?? [];
  if (top === '') {
    throw new WorkspaceError('unsupported', `${real} is inside a bare repository; name a folder with files`);
  }
  const indexFile = resolve(real, index);
  return {
    kind: 'git',
    workTree: await realpath(top),
    gitDir,
    objects: resolve(real, objects),
    index: existsSync(indexFile) ? indexFile : null,
    prefix,
    format,
  };
}

async function aroundFolder(folder: string, hidden: string): Promise<Repository> {
  makeFolder(hidden, 0o700);
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
