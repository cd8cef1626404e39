/** Makes a private copy of the folder a turn would work in. The folder itself is read, and one ref is added that keeps the base. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from './failure.js';
import { fetchRemote, type Remote } from './fetch.js';
import { git } from './git.js';
import { copyIncluded } from './include.js';
import { type CopyKind, freshWorkspaceId, identityOf, placesOf, type WorkspaceRecord, writeRecord } from './paths.js';
import { on, openRepository, type Repository } from './repository.js';
import { copyIndex, snapshot } from './snapshot.js';

export interface CreateOptions {
  /** The folder that the turn was asked to work in. */
  cwd: string;
  isolation: CopyKind;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  now: number;
  /** `worktree` (default) takes changes that are not committed along; `head` begins at the last commit. */
  from?: 'worktree' | 'head';
  /** Copies `.env` files that `.turnoutinclude` names. */
  includeSecrets?: boolean;
  /** The coding job it is made for. */
  job?: string;
  /** A commit of the repository to begin at, whatever is in its files. */
  base?: string;
  /** Where the repository was fetched from. */
  remote?: Remote;
}

export interface Workspace {
  record: WorkspaceRecord;
  /** Where the turn works: the same place below the copy as `cwd` below the repository. */
  cwd: string;
}

/** Keeps the base from `git gc` for as long as the workspace has its change. */
export const baseRef = (id: string): string => `refs/turnout/${id}/base`;

/** A repository of its own that reads the objects of the user's: refs, stash, configuration and hooks are not shared. */
async function fillClone(repository: Repository, base: string, tree: string, index: string): Promise<void> {
  await git(['init', '--quiet', '--template=', `--object-format=${repository.format}`, tree], { cwd: tree });
  const own = join(tree, '.git');
  if (/[\n"]/.test(repository.objects)) {
    throw new WorkspaceError(
      'unsupported',
      `the path of the repository holds a quote or a line break: ${repository.objects}`,
    );
  }
  await mkdir(join(own, 'objects', 'info'), { recursive: true });
  await writeFile(join(own, 'objects', 'info', 'alternates'), `${repository.objects}\n`);
  const inside = { cwd: tree, gitDir: own, workTree: tree };
  for (const key of ['user.name', 'user.email']) {
    const { code, text } = await git(['config', '--get', key], { ...on(repository), ok: [0, 1] });
    if (code === 0) await git(['config', key, text], inside);
  }
  await git(['checkout', '--quiet', '--detach', base], inside);
  await copyIndex(join(own, 'index'), index);
}

async function fillWorktree(repository: Repository, base: string, tree: string, index: string): Promise<void> {
  if (repository.kind === 'folder') {
    throw new WorkspaceError('unsupported', 'a worktree needs a git repository; use --isolate clone');
  }
  await git(['worktree', 'add', '--quiet', '--detach', tree, base], on(repository));
  await copyIndex(
    (await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], { cwd: tree })).text,
    index,
  );
}

/** A copy of a repository elsewhere. @throws WorkspaceError as `fetchRemote` and `createWorkspace` */
export async function createFromRemote(
  remote: Remote,
  options: Pick<CreateOptions, 'env' | 'now'>,
): Promise<Workspace> {
  const fetched = await fetchRemote(remote, options.env);
  try {
    return await createWorkspace({ ...options, cwd: fetched.folder, isolation: 'clone', base: fetched.commit, remote });
  } finally {
    await fetched.release();
  }
}

/**
 * @throws WorkspaceError `unsupported` for a folder that can't be copied (no commit yet, bare, submodules), `too-large`, `git`
 */
export async function createWorkspace(options: CreateOptions): Promise<Workspace> {
  const { env, isolation, now } = options;
  const id = freshWorkspaceId();
  const places = placesOf(id, env);
  await mkdir(places.tree, { recursive: true, mode: 0o700 });
  await mkdir(join(places.objects, 'pack'), { recursive: true, mode: 0o700 });
  let repository: Repository | null = null;
  try {
    repository = await openRepository(options.cwd, places.hidden);
    const taken =
      options.base === undefined
        ? await snapshot(repository, { index: `${places.index}.user`, from: options.from ?? 'worktree' })
        : { commit: options.base, head: options.base, dirty: false };
    await git(['update-ref', baseRef(id), taken.commit], on(repository));
    const fill = isolation === 'clone' ? fillClone : fillWorktree;
    if (isolation === 'worktree') await rm(places.tree, { recursive: true });
    await fill(repository, taken.commit, places.tree, places.index);
    const included = await copyIncluded(repository, places.tree, options.includeSecrets ?? false);
    const cwd = join(places.tree, repository.prefix.replace(/\/$/, ''));
    await mkdir(cwd, { recursive: true });
    const record: WorkspaceRecord = {
      ...{ id, state: 'live', isolation, created_at: now, updated_at: now, repository, included, change: null },
      ...{
        base: taken.commit,
        head: taken.head,
        dirty: taken.dirty,
        identity: await identityOf(places.tree),
        sessions: [],
        note: null,
        ...(options.job === undefined ? {} : { job: options.job }),
        ...(options.remote === undefined ? {} : { remote: options.remote }),
      },
    };
    await writeRecord(record, env);
    return { record, cwd };
  } catch (error) {
    // Nothing of it is known to anybody yet.
    if (repository !== null) await git(['update-ref', '-d', baseRef(id)], { ...on(repository), ok: [0, 1, 128] });
    await rm(places.dir, { recursive: true, force: true });
    if (repository !== null && isolation === 'worktree') await git(['worktree', 'prune'], on(repository));
    throw error;
  }
}
