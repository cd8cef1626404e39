/** What an installation brings: packages that run with us, and bytes on the disk. */

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labFolder } from '../../test/lab/paths.js';
import { runProgram } from '../../test/run-program.js';
import { type Figure, mib, type Row } from '../figure.js';

function size(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + size(join(path, name)), 0);
}

/** Folders of everything that `dependencies` asks for; what is optional is counted apart. */
function needed(root: string, kind: 'dependencies' | 'optionalDependencies'): Set<string> {
  const found = new Set<string>();
  const visit = (folder: string, names: readonly string[]) => {
    for (const name of names) {
      const nested = join(folder, 'node_modules', name);
      const path = existsSync(nested) ? nested : join(root, 'node_modules', name);
      if (found.has(path) || !existsSync(path)) continue;
      found.add(path);
      const own = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      visit(path, Object.keys({ ...own.dependencies, ...own.optionalDependencies }));
    }
  };
  visit(root, Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))[kind] ?? {}));
  return found;
}

function acpx(): string {
  const folder = join(labFolder(), 'acpx', 'node_modules');
  if (!existsSync(folder)) return 'acpx: SKIPPED, not in the lab';
  const lock = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
  return `acpx: ${Object.keys(lock.packages).length} packages, ${mib(size(folder))}`;
}

export const install: Row = {
  id: 'install',
  async measure({ root }): Promise<Figure[]> {
    const packed = runProgram('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
    });
    const [own]: { unpackedSize: number }[] = JSON.parse(packed.stdout);
    const folders = [...needed(root, 'dependencies')];
    const bytes = (own?.unpackedSize ?? Number.NaN) + folders.reduce((sum, folder) => sum + size(folder), 0);
    const optional = [...needed(root, 'optionalDependencies')].reduce((sum, folder) => sum + size(folder), 0);
    return [
      {
        what: 'install: production packages and size',
        value: bytes / 2 ** 20,
        shown: `${folders.length + 1} packages, ${mib(bytes)}`,
        most: 12,
        target: '≤ 12 MiB unpacked, bundled',
        note: `${mib(optional)} more for the server’s optional SQLite; ${acpx()}`,
      },
    ];
  },
};
