/** Files of the folder for `@`: those that git knows or would know, else a walk with a limit. */

import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { onPath } from '../process/system-program.js';

const MOST = 20_000;
/** What is rarely meant and often large. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', 'target', 'dist', '__pycache__']);

async function walk(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined && found.length < MOST; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.map((path) => path.split(sep).join('/'));
}

/** Paths from the folder, with `/`. Never throws. */
export async function projectFiles(cwd: string): Promise<string[]> {
  const { execa } = await import('execa');
  const listed = await execa(onPath('git', process.env, { cwd }), ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd,
    reject: false,
  });
  if (listed.exitCode !== 0) return walk(cwd);
  return listed.stdout
    .split('\0')
    .filter((path) => path !== '')
    .slice(0, MOST);
}

/** How well a path fits what was typed; null when it does not. Smaller is better. */
function likeness(path: string, typed: string): number | null {
  const [whole, part] = [path.toLowerCase(), typed.toLowerCase()];
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  if (name.startsWith(part)) return whole.length;
  if (whole.startsWith(part)) return 1000 + whole.length;
  if (whole.includes(part)) return 2000 + whole.length;
  let at = -1;
  for (const letter of part) {
    at = whole.indexOf(letter, at + 1);
    if (at < 0) return null;
  }
  return 4000 + whole.length;
}

/** @returns the paths that fit best, at most `most` */
export function matching(paths: readonly string[], typed: string, most: number): string[] {
  return paths
    .flatMap((path) => {
      const rank = likeness(path, typed);
      return rank === null ? [] : [{ path, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ path }) => path);
}
