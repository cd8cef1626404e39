/** Windows has no groups to signal: `taskkill /T` walks the tree by parent pids, so it works only while those live. */

import { execFile } from 'node:child_process';

/** Exit code 128 of taskkill: there is no such process. */
const NOT_FOUND = 128;

/** @returns the leader's pid when taskkill could not end it */
export function taskkill(pid: number): Promise<{ survivors: number[] }> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/T', '/F', '/PID', String(pid)], { windowsHide: true, timeout: 5000 }, (error) => {
      resolve({ survivors: error === null || error.code === NOT_FOUND ? [] : [pid] });
    });
  });
}
