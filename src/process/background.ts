/** Programs of a server give way to it: what waits for the server is not to wait for them. */

import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Steps of `nice`. */
const NICE = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of a process that leads a session, right after its start, so that all it starts inherits it. Linux
 * may weigh whole sessions (autogroups) instead of processes, and takes the weight of a session in a file. A system that
 * refuses leaves the priority as it is, which costs speed alone.
 */
export function intoBackground(pid: number): void {
  try {
    setPriority(pid, NICE);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(NICE));
  } catch {
    // Gone already, or not allowed here.
  }
}
