/** The one import whose name is only known when we run: a runner of the user's own. */

import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Long enough for a package with many modules on a loaded machine. */
const LIMIT_MS = 5000;

// A thread of its own can be ended while it loops, and only itself ends when the module calls process.exit.
const TRY = `import { parentPort, workerData } from 'node:worker_threads';
import(workerData).then(
  () => parentPort.postMessage(null),
  (error) => parentPort.postMessage(String(error?.message ?? error)),
);`;

/** Loads a module where it can do no harm to a turn. @returns what is wrong, or null */
function tryOut(url: string, limitMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(TRY)}`), {
      workerData: url,
      stdin: false,
      stdout: true,
      stderr: true,
      execArgv: [],
    });
    const settle = (wrong: string | null) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(wrong);
    };
    const timer = setTimeout(() => settle(`it is not loaded after ${limitMs / 1000} s`), limitMs);
    worker.once('message', (wrong: unknown) => settle(typeof wrong === 'string' ? plain(wrong) : null));
    worker.once('error', (error) => settle(plain(error instanceof Error ? error.message : String(error))));
    worker.once('exit', () => settle('it ends, or waits without end, while it is loaded'));
  });
}

/** Node names our little program as the one that imports; nobody wants to read that. */
const plain = (message: string): string => message.replace(/ imported from data:\S+/g, '').slice(0, 2000);

/**
 * Imports a module after it was tried out in a thread.
 * @param file absolute
 * @param limitMs for each of the two
 * @throws {Error} it can't be found or parsed, throws, ends the process or hangs while it loads
 */
export async function loadModule(file: string, limitMs = LIMIT_MS): Promise<unknown> {
  // A pipe in its place would be waited for without end. What is missing is the import's to say.
  const found = await stat(file).catch(() => null);
  if (found !== null && !found.isFile()) throw new Error('it is not a file');
  const url = pathToFileURL(file).href;
  const wrong = await tryOut(url, limitMs);
  if (wrong !== null) throw new Error(wrong);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it is not loaded after ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([import(url), late]);
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}
