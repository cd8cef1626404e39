/** The version as Python's metadata tells it: a folder `<name>-<version>.dist-info` in the environment of the program. */

import { expand } from './known-folders.js';
import type { Located } from './located.js';
import type { View } from './view.js';

/** Names are compared as PyPI does: case and the choice of `-`, `_` and `.` do not matter. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** @returns the first of those packages that is installed beside the program, by the name it was asked for, or null */
export async function pythonVersion(
  located: Located,
  packages: readonly string[],
  view: View,
): Promise<{ package: string; version: string } | null> {
  for (const folder of await libraries(located, packages, view)) {
    for (const entry of (await view.files.names(folder))?.values() ?? []) {
      const found = /^(.+)-([^-]+)\.dist-info$/.exec(entry);
      const name = packages.find((one) => normal(one) === normal(found?.[1] ?? ''));
      if (name !== undefined && found?.[2] !== undefined) return { package: name, version: found[2] };
    }
  }
  return null;
}

async function libraries(located: Located, packages: readonly string[], view: View): Promise<string[]> {
  const { paths, places, files } = view;
  const roots = new Set([paths.dirname(paths.dirname(located.real))]);
  const python = await interpreter(located, view);
  if (python !== null) roots.add(paths.dirname(paths.dirname(python)));
  if (places.platform === 'win32') {
    // uv copies a launcher out of the environment instead of linking to it.
    const tools = await Promise.all(packages.map((name) => expand(`$APPDATA/uv/tools/${name}`, places, files)));
    return [...roots, ...tools.flat()].map((root) => paths.join(root, 'Lib', 'site-packages'));
  }
  const found: string[] = [];
  for (const root of roots) {
    const lib = paths.join(root, 'lib');
    const names = [...((await files.names(lib))?.values() ?? [])].filter((name) => /^python\d/.test(name));
    for (const name of names) {
      found.push(paths.join(lib, name, 'site-packages'), paths.join(lib, name, 'dist-packages'));
    }
  }
  return found;
}

/** The Python that a script's first line names. */
async function interpreter(located: Located, view: View): Promise<string | null> {
  const text = await view.files.text(located.real);
  const found = text === null ? null : /^#!\s*(\S*[\\/]python[\d.]*)\s*$/m.exec(text.slice(0, 512));
  return found === null || found.index !== 0 ? null : (found[1] ?? null);
}
