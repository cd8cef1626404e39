/**
 * That the walls held on this machine, remembered from one process to the next: trying them costs as much as starting a
 * small program. Only a success is kept, so that what a person mends counts at once; and walls that can't be built later
 * are forgotten, so that the next turn tries them again.
 */

import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { stateDir } from '../state-dir.js';
import type { Bwrap } from './bwrap.js';

const fileIn = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'confinement.json');

/** What the answer hangs on: this boot, this container, this user, this binary. Null where that can't be said. */
function keyOf(bwrap: Bwrap, nests: boolean): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const spaces = ['user', 'mnt', 'pid'].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    return [boot, ...spaces, process.getuid?.(), bwrap.path, bwrap.inode, bwrap.mtimeMs, nests].join(' ');
  } catch {
    return null;
  }
}

function kept(env: NodeJS.ProcessEnv): string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(fileIn(env), 'utf8'));
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
  } catch {
    // Not there, or not ours: the walls are tried.
    return [];
  }
}

/** Whether the walls held when they were last tried. */
export function remembered(bwrap: Bwrap, nests: boolean, env = process.env): boolean {
  const key = keyOf(bwrap, nests);
  return key !== null && kept(env).includes(key);
}

/** The walls held. A file that can't be written costs the next process a try, nothing else. */
export function remember(bwrap: Bwrap, nests: boolean, env = process.env): void {
  const key = keyOf(bwrap, nests);
  if (key === null) return;
  const boot = key.slice(0, key.indexOf(' '));
  const keys = kept(env).filter((one) => one.startsWith(boot) && one !== key);
  try {
    makeFolder(stateDir(env), 0o700);
    const fresh = `${fileIn(env)}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify([...keys, key])}\n`, { mode: 0o600 });
    renameSync(fresh, fileIn(env));
  } catch {
    // As above.
  }
}

/** Walls could not be built, whatever was seen before. */
export function forget(env = process.env): void {
  try {
    rmSync(fileIn(env), { force: true });
  } catch {
    // It can't be written either, so it holds what another user's turnout left there.
  }
}
