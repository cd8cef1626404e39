/** Brings a change into the user's folder: a separate act, merged with what the user did meanwhile, all of it or nothing. */

import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
import { WorkspaceError } from './failure.js';
import { type GitOptions, git, zeroParts } from './git.js';
import { placesOf, type WorkspaceRecord, writeRecord } from './paths.js';
import { on } from './repository.js';
import { snapshot } from './snapshot.js';
import { StrandedFiles, type Swap, statOf, swapFiles } from './swap-files.js';

/**
 * apply: into the files, staged nowhere. branch: a new branch `turnout/ID` with one commit. commit: onto the branch that is
 * checked out, in a clean tree only. patch: a file.
 */
export type LandForm = 'apply' | 'branch' | 'commit' | 'patch';
export const LAND_FORMS: readonly LandForm[] = ['apply', 'branch', 'commit', 'patch'];

export interface LandOptions {
  form: LandForm;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  now: number;
  /** For `patch`: where the file goes; must not exist yet. */
  to?: string;
  /** First line of the commit, for `branch` and `commit`. */
  message?: string;
  /** Lines at the end of the commit's message, such as `Agent-Run: run_…`. */
  trailers?: readonly string[];
}

export interface Landed {
  form: LandForm;
  /** Files of the user's folder that were written. */
  files: string[];
  /** The branch, commit or file that was made. */
  made: string | null;
}

interface Merge {
  /** The user's files as they are now. */
  now: string;
  merged: string;
  touched: Touched[];
}

interface Touched {
  path: string;
  /** Whether it is removed. */
  gone: boolean;
  /** Whether the folder has none. */
  added: boolean;
}

/** The user's files now, merged with the change; both descend from the base. */
async function merge(record: WorkspaceRecord, changed: string, options: GitOptions, index: string): Promise<Merge> {
  const taken = await snapshot(record.repository, {
    index,
    from: 'worktree',
    ...(options.objects ? { objects: options.objects } : {}),
  });
  const child = (await git(['commit-tree', taken.tree, '-p', record.base, '-m', 'The folder now'], options)).text;
  const ran = await git(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', child, changed], {
    ...options,
    ok: [0, 1],
  });
  const [merged = '', ...names] = zeroParts(ran.text);
  if (ran.code === 1) {
    const paths = [...new Set(names)];
    throw new WorkspaceError(
      'conflict',
      `nothing was changed: ${paths.length} file${paths.length === 1 ? '' : 's'} changed on both sides (${paths.slice(0, 3).join(', ')})`,
      { paths },
    );
  }
  const named = await git(['diff', '--name-status', '-z', '--no-renames', taken.tree, merged], options);
  const parts = zeroParts(named.text);
  const touched = parts.flatMap((path, at) => {
    const status = parts[at - 1];
    return at % 2 === 0 ? [] : [{ path, gone: status === 'D', added: status === 'A' }];
  });
  return { now: taken.tree, merged, touched };
}

/** Whether a touched file is still what the merge was made from. */
async function unchanged(
  record: WorkspaceRecord,
  { now, touched }: Merge,
  options: GitOptions,
  index: string,
): Promise<void> {
  const again = await snapshot(record.repository, {
    index,
    from: 'worktree',
    ...(options.objects ? { objects: options.objects } : {}),
  });
  if (again.tree === now) return;
  const moved = zeroParts((await git(['diff', '--name-only', '-z', '--no-renames', now, again.tree], options)).text);
  const ours = new Set(touched.map(({ path }) => path));
  const both = moved.filter((path) => ours.has(path));
  if (both.length > 0) {
    throw new WorkspaceError(
      'changed-meanwhile',
      `nothing was changed: ${both.slice(0, 3).join(', ')} changed in the meantime; try again`,
      { paths: both },
    );
  }
}

/** A place for files on the file system of the user's: inside the repository's own folder where that is on it. */
async function besideFiles({ id, repository }: WorkspaceRecord): Promise<string> {
  const [files, own] = [await statOf(repository.workTree), await statOf(repository.gitDir)];
  const name = `turnout-landing-${id}`;
  const stage = files?.dev === own?.dev ? join(repository.gitDir, name) : join(repository.workTree, `.${name}`);
  // What a landing that was cut short has left.
  await rm(stage, { recursive: true, force: true });
  makeFolder(join(stage, 'new'), 0o700);
  makeFolder(join(stage, 'old'), 0o700);
  return stage;
}

/** Writes the merged files, filtered as a checkout filters them, and puts them in the place of the user's. */
async function replaceFiles(record: WorkspaceRecord, merge: Merge, inside: GitOptions, index: string): Promise<void> {
  const { workTree } = record.repository;
  const inTree = (root: string, path: string) => join(root, ...path.split('/'));
  const stage = await besideFiles(record);
  const fresh = join(stage, 'new');
  let keep = false;
  try {
    const there = { ...inside, cwd: fresh, workTree: fresh, index: `${index}.merged` };
    await git(['read-tree', merge.merged], there);
    const wanted = merge.touched.filter(({ gone }) => !gone).map(({ path }) => path);
    await git(['checkout-index', '--force', '--quiet', '-z', '--stdin'], { ...there, input: wanted.join('\0') });
    const swaps: Swap[] = [];
    for (const { path, gone, added } of merge.touched) {
      const seen = await statOf(inTree(workTree, path));
      // Files that git does not see: ignored ones, and those that a sparse checkout leaves out.
      if (added === (seen !== null)) {
        const what = added ? 'is in the way' : 'is not in the folder';
        throw new WorkspaceError('conflict', `nothing was changed: ${path} ${what}`, { paths: [path] });
      }
      swaps.push({ path, from: gone ? null : inTree(fresh, path), seen });
    }
    // What was seen is what was merged, unless it changes from here on: swapFiles looks again.
    await unchanged(record, merge, inside, `${index}.user`);
    await swapFiles(workTree, swaps, join(stage, 'old'));
  } catch (error) {
    keep = error instanceof StrandedFiles;
    throw error;
  } finally {
    if (!keep) await rm(stage, { recursive: true, force: true });
  }
}

function messageOf(record: WorkspaceRecord, options: LandOptions): string {
  const first = options.message ?? `Apply change of workspace ${record.id}`;
  return options.trailers?.length ? `${first}\n\n${options.trailers.join('\n')}` : first;
}

/** Objects of the workspace become the repository's own. */
async function bringObjects(record: WorkspaceRecord, commit: string, options: GitOptions): Promise<void> {
  const list = `${commit}\n^${record.base}\n`;
  const packed = await git(['pack-objects', '--revs', '--stdout', '-q'], { ...options, input: list });
  await git(['unpack-objects', '-q'], { ...on(record.repository), input: packed.bytes });
}

async function landBranch(
  record: WorkspaceRecord,
  commit: string,
  options: LandOptions,
  inside: GitOptions,
): Promise<Landed> {
  if (record.repository.kind === 'folder')
    throw new WorkspaceError('unsupported', 'a branch needs a git repository; use --as apply');
  const branch = `turnout/${record.id}`;
  const { ok: _, ...plain } = inside;
  const tree = `${commit}^{tree}`;
  const made = await git(['commit-tree', tree, '-p', record.base, '-F', '-'], {
    ...plain,
    ownIdentity: true,
    input: messageOf(record, options),
  });
  await bringObjects(record, made.text, inside);
  const there = await git(['rev-parse', '--quiet', '--verify', `refs/heads/${branch}`], {
    ...on(record.repository),
    ok: [0, 1],
  });
  if (there.code === 0) throw new WorkspaceError('conflict', `the branch ${branch} exists`, { paths: [] });
  await git(['update-ref', `refs/heads/${branch}`, made.text, ''], on(record.repository));
  return { form: 'branch', files: [], made: branch };
}

async function landFiles(
  record: WorkspaceRecord,
  commit: string,
  options: LandOptions,
  inside: GitOptions,
): Promise<Landed> {
  const { repository } = record;
  const places = placesOf(record.id, options.env);
  const merged = await merge(record, commit, inside, `${places.index}.user`);
  const own = on(repository);
  if (options.form === 'commit') {
    const clean = (await git(['status', '--porcelain', '-z', '--untracked-files=all'], own)).text === '';
    if (repository.kind === 'folder' || !clean) {
      throw new WorkspaceError(
        'state',
        `${repository.workTree} has changes of its own; commit them first, or land with --as apply`,
      );
    }
  }
  const files = merged.touched.map(({ path }) => path);
  if (files.length === 0) return { form: options.form, files: [], made: null };
  await replaceFiles(record, merged, inside, places.index);
  if (options.form !== 'commit') return { form: options.form, files, made: null };
  const paths = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  await git(['add', '--all', ...paths], { ...own, input: files.join('\0') });
  await git(['commit', '--quiet', '--no-verify', '-F', '-'], {
    ...own,
    ownIdentity: true,
    input: messageOf(record, options),
  });
  return { form: 'commit', files, made: (await git(['rev-parse', 'HEAD'], own)).text };
}

/**
 * @throws WorkspaceError `conflict` with the paths (nothing was touched), `changed-meanwhile`, `state`, `unsupported`
 */
export async function landWorkspace(record: WorkspaceRecord, options: LandOptions): Promise<Landed> {
  const { change } = record;
  if (record.state !== 'kept' || change === null) {
    throw new WorkspaceError(
      'state',
      `workspace ${record.id} ${record.state === 'kept' ? 'has no change' : `is ${record.state}`}`,
    );
  }
  const inside = { ...inUsersFolder(record, options.env) };
  if (options.form === 'patch') {
    const to = options.to ?? `${record.id}.patch`;
    await copyFile(placesOf(record.id, options.env).patch, to, 1);
    return { form: 'patch', files: [], made: to };
  }
  if (record.remote !== undefined)
    throw new WorkspaceError(
      'unsupported',
      `the copy was fetched from ${record.remote.git}; take its change with --as patch`,
    );
  const landed =
    options.form === 'branch'
      ? await landBranch(record, change.commit, options, inside)
      : await landFiles(record, change.commit, options, inside);
  Object.assign(record, { state: 'landed', updated_at: options.now, note: null });
  await writeRecord(record, options.env);
  return landed;
}

/** Commands that read the user's files and may see the workspace's objects. */
function inUsersFolder(record: WorkspaceRecord, env: NodeJS.ProcessEnv): GitOptions {
  const { objects } = placesOf(record.id, env);
  return { ...on(record.repository), objects: { write: objects, alternates: [record.repository.objects] } };
}
