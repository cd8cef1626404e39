/** What the processes that started us have in their environment: a program that hides it from us can't hide it there. */

import { readFileSync } from 'node:fs';
import { procRow } from './process-table.js';

/** Parents of parents that are looked at; a loop can't be, but a table that changes meanwhile may look like one. */
const MOST = 64;

/** The value of a variable in the text of /proc/PID/environ. */
export function valueIn(environ: string, name: string): string | null {
  const found = environ.split('\0').find((entry) => entry.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // Another user's process, or one that is gone.
    return '';
  }
}

function parentOf(pid: number): number {
  try {
    return procRow(pid)?.ppid ?? 0;
  } catch {
    return 0;
  }
}

/**
 * The values that a variable was given when our ancestors were started, the nearest first. Linux only, and only as far
 * as the chain of parents is unbroken; empty elsewhere.
 */
export function ancestorValues(name: string, from: number = process.ppid): string[] {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  let pid = from;
  for (let step = 0; step < MOST && pid > 1; step++) {
    const value = valueIn(environOf(pid), name);
    if (value !== null) found.push(value);
    pid = parentOf(pid);
  }
  return found;
}
