/** The link through which we are started under another name. */

import { lstatSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../contract/error.js';
import { makeFolder } from '../process/make-folder.js';
import type { Persona } from './persona-name.js';

export interface LinkOptions {
  persona: Persona;
  folder: string;
  /** Node and our script. */
  argv: readonly string[];
  platform: NodeJS.Platform;
}

/** What stands at a path: nothing, our script, or something else. */
function standing(path: string, script: string, text: string | null): 'nothing' | 'ours' | 'other' {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return 'nothing';
  try {
    if (text !== null) return readFileSync(path, 'utf8') === text ? 'ours' : 'other';
    return realpathSync(path) === realpathSync(script) ? 'ours' : 'other';
  } catch {
    // A dead link, or a folder.
    return 'other';
  }
}

/**
 * Makes the link; on Windows, where links need rights, a batch file.
 * @returns where it is, and whether it was made now @throws UsageError when something else stands there, or it can't be made
 */
export function linkPersona({ persona, folder, argv, platform }: LinkOptions): { path: string; did: boolean } {
  const [node = 'node', script = ''] = argv;
  const windows = platform === 'win32';
  const path = join(folder, windows ? `${persona}.cmd` : persona);
  const text = windows ? `@"${node}" "${script}" __as ${persona} %*\r\n` : null;
  const found = standing(path, script, text);
  if (found === 'ours') return { path, did: false };
  if (found === 'other') throw new UsageError(`${path} exists and is not ours; remove it, or name another folder`);
  try {
    makeFolder(folder);
    if (text === null) symlinkSync(script, path);
    else writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${path} can't be made: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { path, did: true };
}
