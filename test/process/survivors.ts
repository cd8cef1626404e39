/** Who still runs with a turn's marker in its environment. Zombies are dead. */

import { readdirSync, readFileSync } from 'node:fs';
import { procRow } from '../../src/process/process-table.js';

export function survivors(marker: { name: string; value: string }): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isAlive(pid) && isMarked(pid, `${marker.name}=${marker.value}`));
}

/** Whether exactly this `NAME=value` is in its environment; on purpose not by the code under test. */
export function isMarked(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry);
  } catch {
    return false;
  }
}

/** A process that nobody has reaped yet counts as gone, unlike for `kill(pid, 0)`. */
export function isAlive(pid: number): boolean {
  const row = procRow(pid);
  return row !== null && !row.zombie;
}

/** Looks again until it holds; half a minute without it is a failure that names what was waited for. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
