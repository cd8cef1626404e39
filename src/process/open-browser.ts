/** Shows an address in the person's browser. */

import { spawn } from 'node:child_process';
import { commandOf, system32 } from './system-program.js';

function opener(platform: NodeJS.Platform): { program: string; before: readonly string[] } {
  if (platform === 'darwin') return { program: 'open', before: [] };
  if (platform === 'win32') return { program: system32('rundll32.exe'), before: ['url.dll,FileProtocolHandler'] };
  return { program: 'xdg-open', before: [] };
}

/**
 * The address stands in the argument list of the program that opens it, where others on the machine may see it: it may
 * only hold a secret that works once and soon ends.
 * @returns whether a program took it
 */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const { program, before } = opener(platform);
  return new Promise((resolve) => {
    const child = spawn(commandOf(program, process.env), [...before, url], { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
