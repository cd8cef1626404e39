/** How turnout itself is started, for the programs of ours that runtimes start. */

import { fileURLToPath } from 'node:url';

/** Node and bin/turnout.js. We are bundled into dist/ (main.js, index.js, chunks/), wherever that was put. */
export function ownArgv(): string[] {
  const dist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 1);
  return [process.execPath, fileURLToPath(new URL('bin/turnout.js', dist))];
}
