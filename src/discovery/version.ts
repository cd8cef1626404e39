/** Reads a program's version from the files it was installed with. Nothing is run. */

import type { ScanEntry } from '../contract/scan.js';
import type { Located } from './located.js';
import { copiesOf, managerOf } from './managers.js';
import { packageVersion } from './package-version.js';
import { pathVersion } from './path-version.js';
import type { Places } from './places.js';
import { thisMachine } from './places.js';
import type { Sought } from './program-query.js';
import { pythonVersion } from './python-version.js';
import type { View } from './view.js';
import { viewOf } from './view.js';

export interface VersionRead {
  version: string | null;
  source: ScanEntry['version_source'];
  /** The package it came from, by the runner's name for it: tells programs of the same name apart. */
  package: string | null;
  notes: string[];
}

/** `not-probed`: the files don't tell; a program is run for that only when asked (`--probe`). Never throws. */
export function readVersion(runner: Sought, located: Located, places: Places = thisMachine()): Promise<VersionRead> {
  return readVersionIn(viewOf(places), runner, located);
}

/** As {@link readVersion}, in a view that several searches share. */
export async function readVersionIn(view: View, runner: Sought, located: Located): Promise<VersionRead> {
  if (located.source === 'builtin') return ownVersion(view, located);
  const manager = managerOf(located, view);
  if (manager === null) return readOne(view, runner, located);
  const copies = await copiesOf(manager, runner, located.found, view);
  const read = await Promise.all(copies.map((copy) => readOne(view, runner, copy)));
  const versions = [...new Set(read.map((one) => one.version))];
  const only = read[0];
  if (only !== undefined && versions.length === 1) return only;
  const known = versions.filter((version) => version !== null).join(', ');
  return unread(known === '' ? [] : [`${manager} has several versions installed: ${known}`]);
}

async function readOne(view: View, runner: Sought, located: Located): Promise<VersionRead> {
  const { found, stranger } = await packageVersion(located, runner.packages, view);
  if (found !== null) return { version: found.version, source: 'package.json', package: found.name, notes: [] };
  const notes =
    stranger === null
      ? []
      : [`${located.found} belongs to the package ${stranger}, which is not known for ${runner.id}`];
  const python = await pythonVersion(located, runner.packages, view);
  if (python !== null) return { ...python, source: 'install-path', notes };
  const version = pathVersion(located);
  return version === null ? unread(notes, stranger) : { version, source: 'install-path', package: stranger, notes };
}

function unread(notes: string[], name: string | null = null): VersionRead {
  return { version: null, source: 'not-probed', package: name, notes };
}

/** The built-in runtime has the version of the package our own program lies in. */
async function ownVersion(view: View, located: Located): Promise<VersionRead> {
  const { found } = await packageVersion(located, ['turnout'], view);
  if (found === null) return { version: null, source: null, package: null, notes: [] };
  return { version: found.version, source: 'package.json', package: found.name, notes: [] };
}
