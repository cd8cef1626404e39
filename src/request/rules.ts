/** Rules between options. Each entrance asks them once every value is known by itself. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { place, type Spelling } from './place.js';
import { runtimesOf } from './runtimes.js';
import type { Given } from './table.js';

/** @throws UsageError for options that contradict each other */
export function checkTogether(given: Given, spelling: Spelling): void {
  const at = (name: keyof Given) => place(spelling, [name]);
  const { access, sandbox, allowBashPrefix = [], runtime } = given;
  if (access === 'read' && sandbox === 'full') {
    throw at('sandbox').fault('conflict', `full contradicts ${spelling.setting('access', 'read')}`);
  }
  if (access === 'full' && given.confine === 'os') {
    throw at('confine').fault(
      'conflict',
      `os contradicts ${spelling.setting('access', 'full')}, which confines nothing`,
    );
  }
  if (access === 'full' && allowBashPrefix.length > 0) {
    const full = spelling.setting('access', 'full');
    throw at('allowBashPrefix').fault('conflict', `has no meaning with ${full}, which runs every command`);
  }
  if (given.workspace !== undefined && given.isolate === 'worktree') {
    throw at('workspace').fault(
      'conflict',
      `is cloned; ${spelling.setting('isolate', 'worktree')} has no meaning with it`,
    );
  }
  if (given.resume !== undefined && runtime !== undefined && runtimesOf(runtime).length > 1) {
    throw at('resume').fault('conflict', 'a session belongs to one runtime; name that one alone');
  }
  if (given.role !== undefined && given.org === undefined) {
    throw at('role').fault('conflict', `needs ${spelling.path(['org'])}`);
  }
  if (given.speed !== undefined && runtime !== undefined && !runtime.startsWith('replay:')) {
    throw at('speed').fault('conflict', `needs ${spelling.setting('runtime', 'replay:FILE')}`);
  }
}

/** @returns what is wrong with the folder, or null */
function folderFault(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : 'it is not a folder';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such folder';
    return `it can't be looked at (${error instanceof Error ? error.message : String(error)})`;
  }
}

export interface Folder {
  /** Absolute. */
  cwd: string;
  /** Said on the stream instead of as a usage error: full access without a folder to work in. */
  refuse?: { code: 'unsafe'; message: string };
}

/**
 * @param from where a relative folder begins
 * @throws UsageError when there is no such folder
 */
export function workFolder({ cwd: asked = '.', access }: Given, from: string, spelling: Spelling): Folder {
  const cwd = resolve(from, asked);
  const fault = folderFault(cwd);
  if (fault === null) return { cwd };
  if (access !== 'full') throw place(spelling, ['cwd']).fault('unreadable', `${cwd}: ${fault}`);
  return { cwd, refuse: { code: 'unsafe', message: `full access needs a folder to work in: ${cwd}: ${fault}` } };
}
