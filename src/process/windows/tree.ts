/** The end of a runtime on Windows, which has neither process groups nor signals. */

import { taskkill } from './taskkill.js';

/** The process that we started: the launcher of the job (`job-object.ts`), else the runtime itself. */
export interface Leader {
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: 'SIGKILL'): boolean;
  once(event: 'exit', listener: () => void): unknown;
  off(event: 'exit', listener: () => void): unknown;
}

/**
 * Ends the leader, and with it the job and all in it. Without a job the tree is walked by parent numbers, which finds
 * what has a living parent.
 * @param killMs how long we wait for it
 * @returns the leader's number when it did not end
 */
export async function endOnWindows(leader: Leader, inJob: boolean, killMs: number): Promise<{ survivors: number[] }> {
  const { pid } = leader;
  // Numbers are given again at once: that of a process that has ended may be a stranger's.
  if (pid === undefined || hasEnded(leader)) return { survivors: [] };
  if (!inJob) return taskkill(pid);
  const gone = exitOf(leader, killMs);
  leader.kill('SIGKILL');
  return { survivors: (await gone) ? [] : [pid] };
}

const hasEnded = ({ exitCode, signalCode }: Leader): boolean => exitCode !== null || signalCode !== null;

function exitOf(leader: Leader, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      leader.off('exit', over);
      resolve(hasEnded(leader));
    };
    const timer = setTimeout(over, ms);
    leader.once('exit', over);
  });
}
