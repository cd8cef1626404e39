/** How long a Node program's event loop was held at most, while it ran. */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Milliseconds between two samples: a shorter block is not seen. */
const RESOLUTION = 5;

/**
 * What makes a Node program note it.
 * @param file where the milliseconds are written when the program ends
 */
export function watchLoop(file: string): Record<string, string> {
  // The programs that it starts are not watched.
  const code = `
    import { monitorEventLoopDelay } from 'node:perf_hooks';
    import { writeFileSync } from 'node:fs';
    delete process.env.NODE_OPTIONS;
    const delay = monitorEventLoopDelay({ resolution: ${RESOLUTION} });
    setTimeout(() => delay.enable(), 1000).unref();
    process.on('exit', () => writeFileSync(new URL(${JSON.stringify(pathToFileURL(file).href)}), String(delay.max / 1e6 - ${RESOLUTION})));`;
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(code).toString('base64')}` };
}

/** Milliseconds, once the program has ended. */
export const longestBlock = (file: string): number => Number(readFileSync(file, 'utf8'));
