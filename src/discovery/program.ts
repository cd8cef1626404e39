/** What to spawn for a program that was found. */

import { TurnoutError } from '../contract/error.js';
import type { Program } from '../runner/machine.js';
import { nameKey } from './files.js';
import type { Located } from './located.js';
import { overrideNames } from './override.js';
import type { Places } from './places.js';
import type { Sought } from './program-query.js';
import { readScoopShim, readShim } from './shim.js';
import { readVersionIn } from './version.js';
import type { View } from './view.js';
import { viewOf } from './view.js';

/** The hidden first word under which our own program is the built-in runtime. */
const BUILTIN_WORD = '__demo';
/** A stub may start a stub (yarn does), but not for ever. */
const STUBS = 4;

/**
 * Elsewhere than on Windows the file itself is started under the name it was found by, as a shell does: programs of
 * version managers act by that name. The caller puts {@link pathFor} in the environment, so that a script finds its Node.
 * @throws {TurnoutError} missing-binary: a Windows stub whose program can't be told
 */
export function toProgram(runner: Sought, located: Located, places: Places): Promise<Program> {
  return toProgramIn(viewOf(places), runner, located);
}

/** As {@link toProgram}, in a view that several searches share. */
export async function toProgramIn(view: View, runner: Sought, located: Located): Promise<Program> {
  const read = await readVersionIn(view, runner, located);
  const identity = { found: located.found, real: located.real, version: read.version, variant: read.package };
  if (located.source === 'builtin') {
    const [path = located.found, ...args] = view.places.turnout ?? [];
    return { path, args: [...args, BUILTIN_WORD], ...identity };
  }
  if (view.places.platform !== 'win32') return { path: located.found, args: [], ...identity };
  const start = await resolveStub(located.found, [], view, STUBS);
  if (start !== null) return { ...start, ...identity };
  const name = overrideNames(runner)[0];
  throw new TurnoutError(
    'missing-binary',
    `${located.found} is a script of a form that is not known, and is not run through a shell. ` +
      `Set ${name} to the .exe or .js file that it starts.`,
  );
}

interface Start {
  path: string;
  args: string[];
}

/** Follows stubs to an .exe or a script that Node runs. Windows only. */
async function resolveStub(path: string, args: string[], view: View, left: number): Promise<Start | null> {
  if (left === 0) return null;
  const { paths, files } = view;
  const extension = paths.extname(path).toLowerCase();
  if (/^\.[cm]?js$/.test(extension)) return { path: await nodeFor(path, view), args: [path, ...args] };
  if (extension === '.exe' || extension === '.com') {
    const text = await files.text(`${path.slice(0, -extension.length)}.shim`);
    const shim = text === null ? null : readScoopShim(text);
    return shim === null ? { path, args } : resolveStub(shim.path, [...shim.args, ...args], view, left - 1);
  }
  const text = await files.text(path);
  const target = text === null ? null : readShim(text, path, view);
  if (target === null) return null;
  if (target.kind === 'node') {
    return { path: await nodeFor(path, view), args: [...target.nodeArgs, target.script, ...args] };
  }
  const next = /[\\/]/.test(target.path) ? target.path : await onPath(target.path, view);
  return next === null ? null : resolveStub(next, [...target.args, ...args], view, left - 1);
}

/** The Node that a stub would take: the one beside it, else the one on PATH; else ours. */
async function nodeFor(stub: string, view: View): Promise<string> {
  const beside = view.paths.join(view.paths.dirname(stub), 'node.exe');
  if ((await view.files.look(beside)) === 'program') return beside;
  return (await onPath('node.exe', view)) ?? view.places.turnout?.[0] ?? process.execPath;
}

/** A native program by name, never from the working folder. */
async function onPath(name: string, view: View): Promise<string | null> {
  const key = nameKey(view.paths.extname(name) === '' ? `${name}.exe` : name, view.places.platform);
  for (const folder of view.search.folders) {
    const found = (await view.files.names(folder))?.get(key);
    if (found !== undefined && (await view.lastResort(folder)) === null) return view.paths.join(folder, found);
  }
  return null;
}
