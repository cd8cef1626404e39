/** The small program that keeps a runtime on Windows in a job object: nothing that is in it outlives it, or us. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** With the error of Windows in its lower half: the program behind the launcher was not started (`turnout-job.c`). */
const NOT_STARTED = 0x54000000;

let known: string | null | undefined;

/** @returns the launcher's path; null elsewhere than on Windows, and where it was not built */
export function jobLauncher(): string | null {
  if (process.platform !== 'win32') return null;
  known ??= find();
  return known;
}

function find(): string | null {
  const at = import.meta.url.lastIndexOf('/dist/');
  if (at === -1) return null;
  const path = fileURLToPath(new URL('windows/turnout-job.exe', import.meta.url.slice(0, at + '/dist/'.length)));
  return existsSync(path) ? path : null;
}

/** @returns why nothing was started, when an exit code of the launcher says that; else null */
export function notStarted(code: number | null): string | null {
  if (code === null || code - (code % 0x10000) !== NOT_STARTED) return null;
  return `The program could not be started (Windows error ${code % 0x10000}).`;
}
