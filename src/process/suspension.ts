/**
 * Ctrl-Z: what we started is stopped with us and goes on with us. Programs have sessions of their own, so the terminal
 * does not reach them; and there SIGTSTP stops nothing, since nobody could wake an orphaned group.
 */

/** What is stopped and woken as a whole. Neither ever throws. */
export interface Suspendable {
  freeze(): Promise<void>;
  thaw(): void;
}

/** Ctrl-Z has to work even while the table of processes is slow to read. */
const LONGEST_MS = 1500;

const living = new Set<Suspendable>();
let isPassing = false;

/** @returns a function for when it has ended */
export function suspendable(one: Suspendable): () => void {
  living.add(one);
  return () => living.delete(one);
}

/** From now on this process passes SIGTSTP and SIGCONT on to what it has started. */
export function passSuspension(): void {
  if (isPassing || process.platform === 'win32') return;
  isPassing = true;
  process.on('SIGTSTP', () => {
    const frozen = Promise.all([...living].map((one) => one.freeze()));
    const late = new Promise((resolve) => setTimeout(resolve, LONGEST_MS).unref());
    // A listener replaces what the signal would have done.
    void Promise.race([frozen, late]).then(() => process.kill(process.pid, 'SIGSTOP'));
  });
  process.on('SIGCONT', () => {
    for (const one of living) one.thaw();
  });
}
