/** The few questions a search asks of the file system. Nothing here changes a file. */

import fs from 'node:fs';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import which from 'which';

export type Look =
  | 'program'
  | 'not-executable'
  | 'folder'
  | 'special'
  | 'missing'
  | 'broken-link'
  | 'link-loop'
  | 'unreadable';

export interface Files {
  /** Names in a folder, from the form they are looked up by (lower case on Windows) to the form on disk; null when it can't be listed. */
  names(folder: string): Promise<ReadonlyMap<string, string> | null>;
  /**
   * The program that a path without its extension stands for, or null.
   * @param extensions what is tried, in order; one empty string outside Windows
   */
  program(path: string, extensions: readonly string[]): Promise<string | null>;
  /** What stands at a path once links are followed. */
  look(path: string): Promise<Look>;
  /** The path with all links followed; null when that fails. */
  real(path: string): Promise<string | null>;
  /** The text of a file of at most 1 MiB; null when it can't be had. */
  text(path: string): Promise<string | null>;
}

// Not node:fs/promises, which takes 2 ms to load: every turn waits for its search.
const access = promisify(fs.access);
const lstat = promisify(fs.lstat);
const readdir = promisify(fs.readdir);
const readFile = promisify(fs.readFile);
const realpath = promisify(fs.realpath.native);
const stat = promisify(fs.stat);

/** Metadata and shims are a few KiB; whatever is larger is a program. */
const TEXT_LIMIT = 1024 * 1024;

/** The disk as it is, each question asked anew. */
export function diskFiles(platform: NodeJS.Platform): Files {
  return {
    async names(folder) {
      try {
        return new Map((await readdir(folder)).map((name) => [nameKey(name, platform), name]));
      } catch {
        return null;
      }
    },
    // A path, not a bare name: for a name `which` would search the working folder first on Windows. Part of it splits
    // the extensions at our system's own delimiter whatever it is told (isexe 4.0), so none other will do.
    // Synchronous: one or two calls to stat(2), where node:fs/promises would have to be loaded.
    program: async (path, extensions) => which.sync(path, { pathExt: extensions.join(delimiter), nothrow: true }),
    look: lookAt,
    async real(path) {
      try {
        return await realpath(path);
      } catch {
        return null;
      }
    },
    async text(path) {
      try {
        const found = await stat(path);
        return found.isFile() && found.size <= TEXT_LIMIT ? await readFile(path, 'utf8') : null;
      } catch {
        return null;
      }
    },
  };
}

/** The form in which a file name is compared. */
export function nameKey(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? name.toLowerCase() : name;
}

async function lookAt(path: string): Promise<Look> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    if (!found.isFile()) return 'special';
    return (await mayExecute(path)) ? 'program' : 'not-executable';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ELOOP') return 'link-loop';
    if (code === 'ENOENT' || code === 'ENOTDIR') return (await isLink(path)) ? 'broken-link' : 'missing';
    return 'unreadable';
  }
}

async function mayExecute(path: string): Promise<boolean> {
  try {
    await access(path, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Asks each question once. For one search or scan only: a long-lived host must see what was installed since. */
export function remembering(files: Files): Files {
  return {
    names: once((folder) => files.names(folder)),
    program: (path, extensions) => files.program(path, extensions),
    look: once((path) => files.look(path)),
    real: once((path) => files.real(path)),
    text: once((path) => files.text(path)),
  };
}

function once<Answer>(ask: (path: string) => Promise<Answer>): (path: string) => Promise<Answer> {
  const known = new Map<string, Promise<Answer>>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const answer = ask(path);
    known.set(path, answer);
    return answer;
  };
}
