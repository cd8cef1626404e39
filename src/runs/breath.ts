/** What is done in one go ends after a few milliseconds, however many readers have something to read at once. */

const MOST_MS = 8;
let began: number | null = null;

/**
 * To be asked between two pieces of work.
 * @returns what to wait for before the next one, so that requests and programs are heard in between; null: go on
 */
export function breath(): Promise<void> | null {
  const now = performance.now();
  if (began === null) {
    began = now;
    setImmediate(() => {
      began = null;
    });
  }
  return now - began < MOST_MS ? null : new Promise((resolve) => setImmediate(resolve));
}
