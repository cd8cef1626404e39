/** Who still runs with a turn's marker in its environment. Zombies are dead. */

import { readdirSync } from 'node:fs';
import { isMarkedNow, procRow } from '../../src/process/process-table.js';

export function survivors(marker: { name: string; value: string }): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isAlive(pid) && isMarkedNow(pid, `${marker.name}=${marker.value}`));
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
