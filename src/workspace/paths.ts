/** Where private copies are kept, and the record beside each. */

import { lstat, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Isolation } from '../contract/vocabulary.js';
import { makeFolder } from '../process/make-folder.js';
import { randomHex } from '../process/random.js';
import { stateDir } from '../process/state-dir.js';
import { isObject } from '../text/json.js';
import { WorkspaceError } from './failure.js';
import type { Remote } from './fetch.js';
import type { ChangedFile } from './patch.js';
import type { Repository } from './repository.js';

/** live: a turn may be at work in it; kept: it holds a change; landed, discarded: only the record is left. */
export const WORKSPACE_STATES = ['live', 'kept', 'landed', 'discarded'] as const;
export type WorkspaceState = (typeof WORKSPACE_STATES)[number];
/** How a copy is made. */
export type CopyKind = Exclude<Isolation, 'none'>;

export interface Change {
  /** Commit of the tree that the patch leads to, in the objects of the workspace. */
  commit: string;
  files: ChangedFile[];
  digest: string;
  /** Whether the patch was too large to be shown whole. */
  truncated: boolean;
}

/** One private copy, as it is written to `record.json`. */
export interface WorkspaceRecord {
  id: string;
  state: WorkspaceState;
  isolation: CopyKind;
  /** Milliseconds since 1970. */
  created_at: number;
  updated_at: number;
  repository: Repository;
  /** The commit that the copy began as. */
  base: string;
  head: string | null;
  dirty: boolean;
  /** Device and inode of the copy's folder: a folder that was put in its place is never removed. */
  identity: string;
  /** Files that were copied beside the commit; never part of a change. */
  included: string[];
  change: Change | null;
  /** The runtimes' sessions that were begun in it: they can only be resumed there. */
  sessions: string[];
  /** Why the last attempt to read or land it failed. */
  note: string | null;
  /** The coding job that works in it, and that alone decides when it goes. */
  job?: string;
  /** Where it was fetched from: the change goes back there as a patch. */
  remote?: Remote;
}

export interface WorkspacePlaces {
  /** The folder of one workspace, for us alone. */
  dir: string;
  /** The copy, in which the agent works. */
  tree: string;
  objects: string;
  index: string;
  hidden: string;
  patch: string;
  record: string;
  /** Further copies of one revision: for checks and for whoever judges it. */
  copies: string;
}

/** `$XDG_STATE_HOME/turnout/workspaces`. */
const workspacesDir = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'workspaces');

/** In the environment of everything that works in a copy: its id. */
export const WORKSPACE_VARIABLE = 'TURNOUT_WORKSPACE';

const ID = /^ws_[0-9a-f]{16}$/;

export const freshWorkspaceId = (): string => `ws_${randomHex(8)}`;

/** @throws WorkspaceError `not-found` for what can not be an id, so that no path is ever made of it */
export function placesOf(id: string, env: NodeJS.ProcessEnv): WorkspacePlaces {
  if (!ID.test(id))
    throw new WorkspaceError('not-found', `unknown workspace ${JSON.stringify(id)}; turnout workspace list shows all`);
  const dir = join(workspacesDir(env), id);
  const at = (name: string) => join(dir, name);
  return {
    ...{ dir, tree: at('tree'), objects: at('objects'), index: at('index') },
    ...{ hidden: at('repository'), patch: at('change.patch'), record: at('record.json'), copies: at('copies') },
  };
}

export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await lstat(path, { bigint: true });
  return `${dev}:${ino}`;
}

/** Whole or not at all. */
export async function writeRecord(record: WorkspaceRecord, env: NodeJS.ProcessEnv): Promise<void> {
  const { dir, record: file } = placesOf(record.id, env);
  makeFolder(dir, 0o700);
  const scratch = `${file}.${randomHex(4)}`;
  await writeFile(scratch, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(scratch, file);
}

function isRecord(value: unknown, id: string): value is WorkspaceRecord {
  return (
    isObject(value) &&
    value['id'] === id &&
    WORKSPACE_STATES.some((state) => state === value['state']) &&
    typeof value['base'] === 'string' &&
    typeof value['identity'] === 'string' &&
    isObject(value['repository']) &&
    Array.isArray(value['sessions'])
  );
}

/** @throws WorkspaceError `not-found`, also for a record that can't be read */
export async function readRecord(id: string, env: NodeJS.ProcessEnv): Promise<WorkspaceRecord> {
  const { record } = placesOf(id, env);
  try {
    const value: unknown = JSON.parse(await readFile(record, 'utf8'));
    if (isRecord(value, id)) return value;
  } catch (cause) {
    throw new WorkspaceError('not-found', `unknown workspace ${id}; turnout workspace list shows all`, { cause });
  }
  throw new WorkspaceError('not-found', `the record of workspace ${id} is damaged (${record})`);
}

/** All workspaces, newest first; folders without a readable record are left alone. */
export async function allRecords(env: NodeJS.ProcessEnv): Promise<WorkspaceRecord[]> {
  const names = await readdir(workspacesDir(env)).catch(() => []);
  const found: WorkspaceRecord[] = [];
  for (const name of names.filter((one) => ID.test(one))) {
    const record = await readRecord(name, env).catch(() => null);
    if (record !== null) found.push(record);
  }
  return found.sort((a, b) => b.created_at - a.created_at);
}
