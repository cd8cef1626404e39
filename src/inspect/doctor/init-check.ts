/** Who is process 1 here: in a container it is often the program itself, which does not do what an init does. */

import { readFile } from 'node:fs/promises';
import type { Check } from '../../contract/doctor.js';
import { about } from './check.js';

const say = about('turnout');

/** Whether a command line, its words parted by NUL as in /proc, is Turnout: by itself, or as Node's program. */
function isTurnout(commandLine: string): boolean {
  const [first = '', ...rest] = commandLine.split('\0').map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program = first === 'node' ? rest.find((word) => !word.startsWith('-')) : first;
  return program === 'turnout' || program === 'turnout.js';
}

/**
 * An orphan becomes the child of process 1, and stays in the process table as a zombie when that one does not wait for
 * it; Node waits for none that it did not start.
 * @param read for tests: the command line of process 1, null where it can't be read
 */
export async function initCheck(
  own: number = process.pid,
  read: () => Promise<string | null> = () => readFile('/proc/1/cmdline', 'utf8').catch(() => null),
): Promise<Check> {
  const first = own === 1 || isTurnout((await read()) ?? '');
  if (!first) return say('init', 'pass', 'process 1 is another program');
  const message =
    'turnout is process 1 of this container: what agents leave behind stays as zombies until the process table is full';
  return say('init', 'warn', `${message}; start the container with an init (docker run --init, or tini)`);
}
