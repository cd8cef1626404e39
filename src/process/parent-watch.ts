/** Tells that the program which started us is gone. */

const EVERY = 1000;
/** Taken when we are loaded: later the parent may be gone already. */
const FIRST_PARENT = process.ppid;

/**
 * Calls `onGone` once, at most a second after our parent ended. It does not keep us alive.
 * @returns a function that stops the watch
 */
export function watchParent(onGone: () => void, options: { parent?: number; everyMs?: number } = {}): () => void {
  const parent = options.parent ?? FIRST_PARENT;
  const timer = setInterval(() => {
    if (!isGone(parent)) return;
    clearInterval(timer);
    onGone();
  }, options.everyMs ?? EVERY).unref();
  return () => clearInterval(timer);
}

/** An orphan gets another parent, except on Windows, where the number stays and the process does not. */
function isGone(parent: number): boolean {
  if (process.ppid !== parent) return true;
  if (process.platform !== 'win32') return false;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
