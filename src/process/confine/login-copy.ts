/**
 * A program's login inside the walls is a copy: the file itself can't be replaced there, and nothing else that is written
 * to it may come back. New tokens do, at once, so that a program whose vendor gives each token once stays logged in.
 */

import { type FSWatcher, watch } from 'node:fs';
import { copyFile, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Json } from '../../contract/vocabulary.js';
import { isObject, parseJson } from '../../text/json.js';
import { randomHex } from '../random.js';

/** Names of what a refresh changes; opencode, kilo and pi call a token `access`. */
const REFRESHED = /^access$|token|expir|refresh|issued|scope|updated/i;
/** Larger than any login. */
const MOST_BYTES = 1024 * 1024;

/** Whether two values differ only in what a refresh changes: the same account, the same hosts, the same shape. */
export function isRefresh(before: Json, after: Json, name = ''): boolean {
  if (isObject(before) && isObject(after)) {
    const names = Object.keys(before);
    if (names.length !== Object.keys(after).length) return false;
    return names.every((key) => {
      const [was, is] = [before[key], after[key]];
      return was !== undefined && is !== undefined && isRefresh(was, is, key);
    });
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((one, index) => isRefresh(one, after[index] ?? null, name));
  }
  if (before === after) return true;
  if (typeof before !== typeof after || !REFRESHED.test(name)) return false;
  // Where a token is asked for, and by whom, is no part of a refresh.
  return !/ur[il]|host|endpoint|account|email|user/i.test(name) && !/^https?:/i.test(String(after));
}

export interface LoginCopy {
  /** @returns why a new login was not brought back, or null */
  bringBack(): Promise<string | null>;
  close(): void;
}

/**
 * @param original real path of the file
 * @param copy where the program sees it: in a private folder of ours
 * @throws when it can't be copied
 */
export async function copyLogin(original: string, copy: string): Promise<LoginCopy> {
  await copyFile(original, copy);
  let last = await readFile(original, 'utf8');
  let refused: string | null = null;

  const compare = async (): Promise<void> => {
    const info = await stat(copy).catch(() => null);
    if (info === null || info.size === 0 || info.size > MOST_BYTES) return;
    const text = await readFile(copy, 'utf8').catch(() => last);
    if (text === last) return;
    const [was, is] = [parseJson(last), parseJson(text)];
    // Half written: the next look sees it whole.
    if (is === undefined) return;
    if (was === undefined || !isRefresh(was, is)) {
      refused = `${basename(original)} was changed in more than its tokens; the change was not kept`;
      return;
    }
    if ((await readFile(original, 'utf8')) !== last) {
      refused = `${original} was changed by another program meanwhile; the new login of this turn was not kept`;
      return;
    }
    await replace(original, text);
    last = text;
    refused = null;
  };
  let work = Promise.resolve();
  const look = () => {
    work = work.then(compare).catch((error: Error) => {
      refused = `the new login could not be kept: ${error.message}`;
    });
  };
  const watcher = watching(dirname(copy), look);
  return {
    async bringBack() {
      look();
      await work;
      return refused;
    },
    close: () => watcher?.close(),
  };
}

/**
 * A login in a folder that may be written as a whole: it is refreshed where it lies, by whatever way the program takes, and
 * put back if more than its tokens was changed.
 * @param original real path of the file
 * @throws when it can't be read
 */
export async function guardLogin(original: string): Promise<LoginCopy> {
  const before = await readFile(original, 'utf8');
  const { mode } = await stat(original);
  return {
    async bringBack() {
      const now = await readFile(original, 'utf8').catch(() => null);
      const [was, is] = [parseJson(before), now === null ? undefined : parseJson(now)];
      if (now === before || (was !== undefined && is !== undefined && isRefresh(was, is))) return null;
      await rm(original, { recursive: true, force: true });
      await writeFile(original, before, { mode: mode & 0o777 });
      return `${basename(original)} was changed in more than its tokens; it was put back as it was`;
    },
    close: () => undefined,
  };
}

/** Null where the system has no watch left: then the end of the turn alone is looked at. */
function watching(folder: string, look: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, look);
    watcher.on('error', () => undefined);
    return watcher;
  } catch {
    return null;
  }
}

/** In one step, with the old file's mode: a crash leaves the one or the other. */
async function replace(original: string, text: string): Promise<void> {
  const { mode } = await stat(original);
  const fresh = join(dirname(original), `.${basename(original)}.${randomHex(6)}`);
  const file = await open(fresh, 'wx', mode & 0o777);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, original).catch(async (error: Error) => {
    await rm(fresh, { force: true });
    throw error;
  });
}
