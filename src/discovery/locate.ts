/** Finds a runtime's program without starting anything. */

import type { Look } from './files.js';
import { nameKey } from './files.js';
import { expand } from './known-folders.js';
import type { Located, Missing } from './located.js';
import { copiesOf, managerOf } from './managers.js';
import { overrideOf } from './override.js';
import type { Places } from './places.js';
import { privateBins } from './private-programs.js';
import type { Sought } from './program-query.js';
import type { View } from './view.js';
import { viewOf } from './view.js';

/**
 * Looks for the program of one runtime: override variables, PATH, its own folders, well-known folders.
 * @returns where it is, or that it is missing and why; never throws
 */
export function locate(runner: Sought, places: Places): Promise<Located | Missing> {
  return locateIn(viewOf(places), runner);
}

/** As {@link locate}, in a view that several searches share. */
export async function locateIn(view: View, runner: Sought): Promise<Located | Missing> {
  if (runner.builtin === true) return builtIn(view.places);
  const override = overrideOf(runner, view.places);
  if (override === null) return pick(view, runner, runner.bins, await everywhere(view, runner));
  const answer =
    override.path === null
      ? await pick(view, runner, [override.value], onPath(view))
      : await pickPath(view, runner, override.path);
  if (!('missing' in answer)) return { ...answer, source: 'variable' };
  return {
    missing: true,
    notes: [`${override.name} is set to ${override.value}, which can't be used`, ...answer.notes],
  };
}

/** A built-in runtime is part of our own program. */
function builtIn(places: Places): Located | Missing {
  const program = places.turnout?.at(-1);
  if (program === undefined) return { missing: true, notes: ['how turnout itself is started is not known here'] };
  return { found: program, real: program, source: 'builtin', notes: [] };
}

interface Spot {
  folder: string;
  source: 'path' | 'place';
}

function onPath(view: View): Spot[] {
  return view.search.folders.map((folder) => ({ folder, source: 'path' }));
}

async function everywhere(view: View, runner: Sought): Promise<Spot[]> {
  const own = await Promise.all((runner.places ?? []).map((place) => expand(place, view.places, view.files)));
  const named = await Promise.all(own.flat().map((place) => folderOf(place, view)));
  const folders = [...named, ...(await view.known())];
  const seen = new Set(view.search.folders);
  const places = [...new Set(folders)].filter((folder) => !seen.has(folder));
  // Whoever had a version installed for turnout wants that one, whatever PATH has.
  const ours: Spot = { folder: privateBins(view.places, runner.id), source: 'place' };
  return [ours, ...onPath(view), ...places.map((folder): Spot => ({ folder, source: 'place' }))];
}

/** A runner may name a folder or the program in it. */
async function folderOf(place: string, view: View): Promise<string> {
  return (await view.files.look(place)) === 'folder' ? place : view.paths.dirname(place);
}

/** Takes the first program of the best name; what is only a last resort is taken when nothing else turns up. */
async function pick(
  view: View,
  runner: Sought,
  bins: readonly string[],
  spots: readonly Spot[],
): Promise<Located | Missing> {
  const notes: string[] = [];
  let weak: Located | null = null;
  for (const bin of bins) {
    notes.push(...(await ignored(view, bin)));
    for (const spot of spots) {
      const program = await programIn(view, spot.folder, bin, notes);
      if (program === null) continue;
      const located: Located = { ...program, source: spot.source, notes: [] };
      const reason = (await view.lastResort(spot.folder)) ?? (await emptyStub(view, runner, located));
      if (reason === null) return { ...located, notes: [...notes, ...describe(view, located)] };
      notes.push(`${program.found}: ${reason}`);
      weak ??= located;
    }
  }
  if (weak === null) return { missing: true, notes };
  return { ...weak, notes: [...notes, `${weak.found} was taken because there is no other`, ...describe(view, weak)] };
}

async function pickPath(view: View, runner: Sought, path: string): Promise<Located | Missing> {
  const look = await view.files.look(path);
  const real = look === 'program' ? await view.files.real(path) : null;
  if (real === null) return { missing: true, notes: [`${path} ${WHY_NOT[look]}`] };
  const located: Located = { found: path, real, source: 'variable', notes: [] };
  const reason = await emptyStub(view, runner, located);
  return { ...located, notes: [...(reason === null ? [] : [`${path}: ${reason}`]), ...describe(view, located)] };
}

const WHY_NOT: Readonly<Record<Look, string>> = {
  program: 'vanished while it was looked at',
  'not-executable': 'is not executable',
  folder: 'is a folder',
  special: 'is not a regular file',
  missing: 'does not exist',
  'broken-link': 'is a link to a file that does not exist',
  'link-loop': 'is a link that leads back to itself',
  unreadable: 'may not be read',
};

/** The program of that name in one folder; what bears the name but can't be started is noted. */
async function programIn(
  view: View,
  folder: string,
  bin: string,
  notes: string[],
): Promise<Pick<Located, 'found' | 'real'> | null> {
  const listed = await view.files.names(folder);
  const extensions = [...new Set([...(bin.includes('.') ? [''] : []), ...view.extensions])];
  const names = extensions.flatMap(
    (extension) => listed?.get(nameKey(`${bin}${extension}`, view.places.platform)) ?? [],
  );
  // The listing is shared by all searches of a scan; most folders hold no such name and cost nothing more.
  if (names.length === 0) return null;
  const found = await view.files.program(view.paths.join(folder, bin), extensions);
  const real = found === null ? null : await view.files.real(found);
  for (const name of names) {
    const path = view.paths.join(folder, name);
    if (found !== null && real !== null && nameKey(path, view.places.platform) === nameKey(found, view.places.platform))
      return { found: path, real };
    const look = await view.files.look(path);
    if (look !== 'folder') notes.push(`${path} ${WHY_NOT[look]}`);
  }
  return null;
}

/** Entries of PATH that are not searched are worth a word only where they would have given something. */
async function ignored(view: View, bin: string): Promise<string[]> {
  const notes: string[] = [];
  for (const entry of view.search.ignored) {
    const folder = view.paths.resolve(view.places.cwd, entry);
    const planted = await programIn(view, folder, bin, []);
    if (planted !== null) notes.push(`${planted.found}: not taken, because the PATH entry '${entry}' is not absolute`);
  }
  return notes;
}

async function emptyStub(view: View, runner: Sought, located: Located): Promise<string | null> {
  const manager = managerOf(located, view);
  if (manager === null || manager === 'snap') return null;
  const copies = await copiesOf(manager, runner, located.found, view);
  return copies.length > 0 ? null : `a stub of ${manager} without an installed program that could be found`;
}

function describe(view: View, located: Located): string[] {
  const manager = managerOf(located, view);
  if (manager === null || manager === 'snap') return [];
  return [`a stub of ${manager}, which chooses the version by working folder`];
}
