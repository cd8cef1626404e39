/** Which process holds a store: words for people. Whether it still does, the lock alone knows. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { num, parseObject, str } from '../../text/json.js';

export interface Owner {
  /** Another container has a name of its own, and pids that mean nothing here. */
  host: string;
  pid: number;
  /** Milliseconds since 1970. */
  since: number;
  /** How it can be reached. */
  what: string;
}

export const ourselves = (what: string): Owner => ({ host: hostname(), pid: process.pid, since: Date.now(), what });

/** @returns null when the text names no process */
export function ownerOf(json: string): Owner | null {
  const value = parseObject(json);
  const pid = num(value, 'pid');
  if (pid === undefined) return null;
  return { host: str(value, 'host') ?? '', pid, since: num(value, 'since') ?? 0, what: str(value, 'what') ?? '' };
}

/** `process 4711 on laptop (http 127.0.0.1:9090, since 2026-01-31T08:00:00.000Z)` */
export function shownOwner(owner: Owner | null): string {
  if (owner === null) return 'another process';
  const { host, pid, since, what } = owner;
  return `process ${pid}${host === '' ? '' : ` on ${host}`} (${what}, since ${new Date(since).toISOString()})`;
}

/** Beside the lock of a store that one process has for itself: whoever is refused reads it there. */
const fileOf = (path: string): string => `${path}-owner`;

/** @throws the file system's error */
export function writeOwner(path: string, owner: Owner): void {
  // Never half a file for a reader.
  const part = `${fileOf(path)}.part`;
  writeFileSync(part, JSON.stringify(owner), { mode: 0o600 });
  renameSync(part, fileOf(path));
}

/** @returns null when there is no such note, or it is cut */
export function readOwner(path: string): Owner | null {
  try {
    return ownerOf(readFileSync(fileOf(path), 'utf8'));
  } catch {
    // It is only words: the lock decides.
    return null;
  }
}

/** Removes the note if it is still ours. @throws the file system's error when it can't be removed */
export function forgetOwner(path: string, owner: Owner): void {
  if (JSON.stringify(readOwner(path)) === JSON.stringify(owner)) rmSync(fileOf(path), { force: true });
}
