/** stdout is the protocol's: whatever a runner of the user's logs goes to stderr. */

import { Console } from 'node:console';

/** To be called before code of the user's is loaded. */
export function quietConsole(): void {
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
}
