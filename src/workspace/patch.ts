/** What a turn changed in its copy, as a patch. The copy's own `.git` is not believed: the user's repository and an index of ours read the files. */

import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { revisionDigest } from './digest.js';
import { WorkspaceError } from './failure.js';
import { type GitOptions, git, zeroParts } from './git.js';
import { type Change, placesOf, type WorkspaceRecord, writeRecord } from './paths.js';
import { on } from './repository.js';

export interface ChangedFile {
  /** Relative to the repository, `/` between names. */
  path: string;
  status: 'added' | 'modified' | 'deleted';
  /** Lines; null for a binary file. */
  added: number | null;
  removed: number | null;
  binary?: boolean;
}

export interface TakenPatch extends Change {
  /** The patch file; absolute. */
  path: string;
  bytes: number;
  /** Repositories that the agent made inside the copy; their files are part of the change, their history is not. */
  nested: string[];
}

const MOST_FILE = 8 * 1024 * 1024;
const MOST_ALL = 128 * 1024 * 1024;
/** A larger patch is stored whole and shown in part. */
const MOST_SHOWN = 1024 * 1024;
const DIFF = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];

/** How commands read the copy and write objects that only the workspace has. */
export function inWorkspace(record: WorkspaceRecord, env: NodeJS.ProcessEnv): GitOptions {
  const places = placesOf(record.id, env);
  const { repository } = record;
  return {
    ...on(repository, places.tree),
    index: places.index,
    objects: { write: places.objects, alternates: [repository.objects] },
  };
}

/** Takes every `.git` below the top out of the way: git would record the folder as a link, or refuse it all. */
async function moveNestedAway(tree: string, to: string): Promise<string[]> {
  const found: string[] = [];
  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(join(tree, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.toLowerCase() === '.git') {
        if (folder !== '') found.push(path);
      } else if (entry.isDirectory()) await walk(path);
    }
  }
  await walk('');
  if (found.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const [number, path] of found.entries()) await rename(join(tree, path), join(to, `${Date.now()}-${number}`));
  return found.map((path) => posix.dirname(path));
}

interface RawChange {
  path: string;
  mode: string;
  blob: string;
  status: ChangedFile['status'];
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'modified',
};

async function rawChanges(base: string, tree: string, options: GitOptions): Promise<RawChange[]> {
  const parts = zeroParts((await git(['diff', '--raw', '-z', '--full-index', ...DIFF, base, tree], options)).text);
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , blob = '', letter = ''] = (parts[at] ?? '').split(' ');
    const status = STATUS[letter.charAt(0)];
    const path = parts[at + 1];
    if (status === undefined || path === undefined)
      throw new WorkspaceError('git', `git diff printed an unknown line: ${parts[at]}`);
    changes.push({ path, mode, blob, status });
  }
  return changes;
}

async function lineCounts(
  base: string,
  tree: string,
  options: GitOptions,
): Promise<Map<string, [number | null, number | null]>> {
  const counts = new Map<string, [number | null, number | null]>();
  for (const part of zeroParts((await git(['diff', '--numstat', '-z', ...DIFF, base, tree], options)).text)) {
    const [added = '-', removed = '-', ...path] = part.split('\t');
    const known = (text: string) => (text === '-' ? null : Number(text));
    counts.set(path.join('\t'), [known(added), known(removed)]);
  }
  return counts;
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Two names that are one file on a disk that folds case or composes accents. */
async function twins(changes: readonly RawChange[], tree: string, options: GitOptions): Promise<string[]> {
  const all = zeroParts((await git(['ls-tree', '-r', '-z', '--name-only', tree], options)).text);
  const seen = new Map<string, number>();
  for (const path of all) seen.set(folded(path), (seen.get(folded(path)) ?? 0) + 1);
  return changes
    .filter(({ path, status }) => status === 'added' && (seen.get(folded(path)) ?? 0) > 1)
    .map(({ path }) => path);
}

async function leadsOutside(change: RawChange, options: GitOptions): Promise<boolean> {
  const target = (await git(['cat-file', 'blob', change.blob], options)).text;
  if (/^(?:[/\\]|[A-Za-z]:)/.test(target)) return true;
  const lands = posix.normalize(posix.join(posix.dirname(change.path), target));
  return lands === '..' || lands.startsWith('../') || lands.split('/').some((part) => part.toLowerCase() === '.git');
}

async function refuseHostile(changes: readonly RawChange[], tree: string, options: GitOptions): Promise<void> {
  const refuse = (why: string, paths: readonly string[]) => {
    if (paths.length > 0)
      throw new WorkspaceError('refused-change', `${why}: ${paths.slice(0, 3).join(', ')}`, { paths });
  };
  const kept = changes.filter(({ status }) => status !== 'deleted');
  refuse(
    'a link to another repository',
    kept.filter(({ mode }) => mode === '160000').map(({ path }) => path),
  );
  refuse('two names for one file on some disks', await twins(kept, tree, options));
  let all = 0;
  for (const change of kept) {
    if (change.mode === '120000')
      refuse('a link that leads outside', (await leadsOutside(change, options)) ? [change.path] : []);
    const size = Number((await git(['cat-file', '-s', change.blob], options)).text);
    if (size > MOST_FILE) refuse('a file over 8 MiB', [change.path]);
    all += size;
  }
  if (all > MOST_ALL)
    refuse(
      'a change over 128 MiB',
      kept.map(({ path }) => path),
    );
}

/**
 * Reads the copy and stores patch and figures in the record.
 * @param now milliseconds since 1970
 * @returns null when nothing changed
 * @throws WorkspaceError `refused-change` with the paths, `state`, `git`; the copy stays as it is
 */
export async function takePatch(
  record: WorkspaceRecord,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<TakenPatch | null> {
  if (record.state !== 'live' && record.state !== 'kept') {
    throw new WorkspaceError('state', `workspace ${record.id} is ${record.state}`);
  }
  const places = placesOf(record.id, env);
  if ((await lstat(places.tree).catch(() => null)) === null)
    throw new WorkspaceError('state', `the files of workspace ${record.id} are gone`);
  const options = inWorkspace(record, env);
  const nested = await moveNestedAway(places.tree, join(places.dir, 'nested'));
  const leaveOut = record.included.map((path) => `:(top,exclude,literal)${path}`);
  await git(['add', '--all', '--', ':/', ...leaveOut], { ...options, magicPathspecs: true });
  const tree = (await git(['write-tree'], options)).text;
  const changes = await rawChanges(record.base, tree, options);
  if (changes.length === 0) {
    Object.assign(record, { change: null, updated_at: now });
    await writeRecord(record, env);
    return null;
  }
  await refuseHostile(changes, tree, options);
  const counts = await lineCounts(record.base, tree, options);
  const files = changes.map(({ path, status }): ChangedFile => {
    const [added, removed] = counts.get(path) ?? [null, null];
    return { path, status, added, removed, ...(added === null ? { binary: true } : {}) };
  });
  const patch = (await git(['diff', '--binary', '--full-index', ...DIFF, record.base, tree], options)).bytes;
  await writeFile(places.patch, patch, { mode: 0o600 });
  const commit = (await git(['commit-tree', tree, '-p', record.base, '-m', 'Change made by an agent'], options)).text;
  const digest = await revisionDigest(
    places.tree,
    files.map(({ path }) => path),
  );
  const change: Change = { commit, files, digest, truncated: patch.byteLength > MOST_SHOWN };
  Object.assign(record, { change, state: 'kept', updated_at: now });
  await writeRecord(record, env);
  return { ...change, path: places.patch, bytes: patch.byteLength, nested };
}
