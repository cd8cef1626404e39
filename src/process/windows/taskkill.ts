/** Windows has no groups to signal: `taskkill /T` walks the tree by parent pids, so it works only while those live. */

import { system32, systemRoot } from '../system-program.js';

/** Exit code 128 of taskkill: there is no such process. */
const NOT_FOUND = 128;

/**
 * @param options.program for tests: another program
 * @returns the leader's pid when taskkill could not end it
 */
export async function taskkill(pid: number, options: { program?: string } = {}): Promise<{ survivors: number[] }> {
  const { execa } = await import('execa');
  const { exitCode } = await execa(options.program ?? system32('taskkill.exe'), ['/T', '/F', '/PID', String(pid)], {
    // What lies in the folder that we were started in has no say in what is loaded.
    ...(process.platform === 'win32' ? { cwd: systemRoot() } : {}),
    reject: false,
    timeout: 5000,
    windowsHide: true,
  });
  return { survivors: exitCode === 0 || exitCode === NOT_FOUND ? [] : [pid] };
}
