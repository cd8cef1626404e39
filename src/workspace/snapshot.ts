/** The working tree as a commit, made with an index of our own: the user's index, HEAD, refs and files stay as they are. */

import { copyFile, lstat, readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from './failure.js';
import { type GitOptions, git, zeroParts } from './git.js';
import { on, type Repository } from './repository.js';

const ADD_ATTEMPTS = 5;

export interface Snapshot {
  /** The commit that holds the tree. */
  commit: string;
  tree: string;
  /** What HEAD was, null in a folder without git. */
  head: string | null;
  /** Whether the tree differs from HEAD's. */
  dirty: boolean;
}

export interface SnapshotOptions {
  /** A file of ours for the index. */
  index: string;
  /** `head`: what is committed, without the changes that are not. */
  from: 'worktree' | 'head';
  objects?: GitOptions['objects'];
}

/** A copied index keeps its time: git compares it with those of files to find what it must read again. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

/** Repositories inside that HEAD knows nothing of: as a whole they can not be part of a commit. */
async function nestedRepositories(options: GitOptions): Promise<string[]> {
  const listed = await git(['ls-files', '--others', '--directory', '--exclude-standard', '-z'], options);
  const folders = zeroParts(listed.text).filter((path) => path.endsWith('/'));
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(join(options.cwd, folder));
    if (names.includes('.git')) found.push(folder);
  }
  return found;
}

async function submodulesWithFiles(repository: Repository, options: GitOptions): Promise<string[]> {
  const staged = zeroParts((await git(['ls-files', '--stage', '-z'], options)).text);
  const links = staged.filter((line) => line.startsWith('160000 ')).map((line) => line.slice(line.indexOf('\t') + 1));
  const filled: string[] = [];
  for (const path of links) {
    const there = await lstat(join(repository.workTree, path, '.git')).catch(() => null);
    if (there !== null) filled.push(path);
  }
  return filled;
}

/** git gives up on a file that is written or removed while it reads it; the next moment it may be at rest. */
async function addAll(args: readonly string[], options: GitOptions): Promise<void> {
  for (let left = ADD_ATTEMPTS; ; left--) {
    try {
      await git(args, options);
      return;
    } catch (error) {
      if (left <= 1 || !(error instanceof WorkspaceError)) throw error;
    }
  }
}

/**
 * @throws WorkspaceError `unsupported` for a repository without a commit or with checked-out submodules
 */
export async function snapshot(repository: Repository, options: SnapshotOptions): Promise<Snapshot> {
  const { index, objects } = options;
  const base: GitOptions = { ...on(repository), index, ...(objects ? { objects } : {}) };
  const asked = await git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { ...base, ok: [0, 1, 128] });
  const head = asked.code === 0 ? asked.text : null;
  if (repository.kind === 'git' && head === null) {
    throw new WorkspaceError('unsupported', `${repository.workTree} has no commit yet; make one first (git commit)`);
  }
  if (options.from === 'head') {
    if (head === null)
      throw new WorkspaceError(
        'unsupported',
        `${repository.workTree} is not a git repository: it has no HEAD to start from`,
      );
    const tree = (await git(['rev-parse', `${head}^{tree}`], base)).text;
    return { commit: head, tree, head, dirty: false };
  }
  if (repository.index !== null) await copyIndex(repository.index, index);
  else if (head !== null) await git(['read-tree', head], base);
  const submodules = await submodulesWithFiles(repository, base);
  if (submodules.length > 0) {
    const which = submodules.slice(0, 3).join(', ');
    throw new WorkspaceError('unsupported', `submodules are not copied yet (${which}); use --isolate none here`, {
      paths: submodules,
    });
  }
  const nested = await nestedRepositories(base);
  const leaveOut = nested.map((path) => `:(top,exclude,literal)${path.replace(/\/$/, '')}`);
  await addAll(['add', '--all', '--', ':/', ...leaveOut], { ...base, magicPathspecs: true });
  const tree = (await git(['write-tree'], base)).text;
  const headTree = head === null ? null : (await git(['rev-parse', `${head}^{tree}`], base)).text;
  if (head !== null && tree === headTree) return { commit: head, tree, head, dirty: false };
  const parents = head === null ? [] : ['-p', head];
  const commit = (await git(['commit-tree', tree, ...parents, '-m', 'Working tree, as it was'], base)).text;
  return { commit, tree, head, dirty: true };
}
