import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface Found {
  pid: number;
  command: string;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** A process that is over but not yet reaped by its parent still has an entry; it no longer runs anything. */
function isOver(pid: string): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || /\) [ZX] /.test(stat);
}

/** False where there is no /proc: leftovers can't be looked for there. */
export const canLook = existsSync('/proc/self/environ');

/** The living processes whose environment has this word: the lab puts one into every turn. */
export function processesWith(marker: string): Found[] {
  if (!canLook) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(marker) && !isOver(pid))
    .map((pid) => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 200),
    }));
}

/** True when some process of the turn shows this text in its argument list, where every user of the machine can read it. */
export function visibleInArguments(marker: string, text: string): boolean {
  return processesWith(marker).some(({ pid }) => read(`/proc/${pid}/cmdline`).includes(text));
}

export function killAll(found: readonly Found[]): void {
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
