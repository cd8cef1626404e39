/** Windows has no groups to signal: `taskkill /T` walks the tree by parent pids, so it works only while those live. */

/** Exit code 128 of taskkill: there is no such process. */
const NOT_FOUND = 128;

/** @returns the leader's pid when taskkill could not end it */
export async function taskkill(pid: number): Promise<{ survivors: number[] }> {
  const { execa } = await import('execa');
  const { exitCode } = await execa('taskkill', ['/T', '/F', '/PID', String(pid)], {
    reject: false,
    timeout: 5000,
    windowsHide: true,
  });
  return { survivors: exitCode === 0 || exitCode === NOT_FOUND ? [] : [pid] };
}
