/** Which process holds a store. A pid alone may have been given to another process since. */

import { readFileSync } from 'node:fs';

export interface Owner {
  pid: number;
  /** When that process began, in the system's own measure; null where it can't be told. */
  began: string | null;
  /** Milliseconds since 1970. */
  since: number;
  /** How it can be reached, for people. */
  what: string;
}

/** Field 22 of /proc/PID/stat: ticks since boot. Linux only. */
export function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing any more.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function isAlive(owner: Owner): boolean {
  if (!exists(owner.pid)) return false;
  return owner.began === null || beganAt(owner.pid) === owner.began;
}

export const ourselves = (what: string): Owner => ({
  pid: process.pid,
  began: beganAt(process.pid),
  since: Date.now(),
  what,
});
