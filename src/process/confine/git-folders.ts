/** What git takes its configuration from in a folder: it stays read-only where the agent may write. */

import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Nested repositories and submodules are looked for so deep. */
const DEPTH = 3;
/** A folder with more is not searched to its end: the search must not cost a turn seconds. */
const MOST_FOLDERS = 2000;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.venv', 'target', 'dist', '.cache']);

export interface GitFolders {
  /** `.git` folders and files, and folders that are repositories themselves. */
  found: string[];
  /** A `.git` that is a link can be neither kept nor followed safely. */
  link: string | null;
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param cwd real path of the folder in which the agent may write */
export function gitFolders(cwd: string): GitFolders {
  const found: string[] = [];
  let link: string | null = null;
  let level = [cwd];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++looked > MOST_FOLDERS) return { found, link };
      const here = entries(folder);
      const names = new Set(here.map(({ name }) => name));
      if (['HEAD', 'objects', 'refs'].every((name) => names.has(name))) found.push(folder);
      for (const entry of here) {
        const path = join(folder, entry.name);
        if (entry.name === '.git') {
          if (entry.isSymbolicLink()) link ??= path;
          else found.push(path);
        } else if (entry.isDirectory() && !SKIPPED.has(entry.name)) next.push(path);
      }
    }
    level = next;
  }
  return { found, link };
}
