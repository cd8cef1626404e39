/** How the commands end whose surface lives on stdin and stdout. */

import { UsageError } from '../contract/error.js';
import { fail } from './failure.js';
import { print } from './print.js';

/** Milliseconds that the last bytes of stdout have. */
const LAST_BYTES_MS = 200;

/** Serves, and ends the process. A store that can't be used is the caller's mistake. */
export async function serveAndExit(serve: () => Promise<number>): Promise<never> {
  let code: number;
  try {
    code = await serve();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'StoreError')) throw error;
    await fail(new UsageError(`${error.message}; --store PATH|memory names another one`), false);
    code = 2;
  }
  // A reader that no longer reads is not waited for either.
  await Promise.race([print(''), new Promise((resolve) => setTimeout(resolve, LAST_BYTES_MS))]);
  // stdin may be open still, and what holds it open is not ours to wait for.
  process.exit(code);
}
