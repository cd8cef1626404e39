/** The version as npm's metadata tells it. */

import { parseObject, str } from '../text/json.js';
import type { Located } from './located.js';
import type { View } from './view.js';

export interface PackageFound {
  /** As the runner lists it, also when a platform's package of it was found. */
  name: string;
  version: string;
}

/** From the program up to the package's root; vendor trees of native packages are six deep. */
const STEPS = 9;
/** Packages that carry the native program for one platform add this to the name (`opencode-linux-x64`)… */
const PLATFORM_NAME = /^[-/](?:linux|linuxmusl|darwin|win32|windows|freebsd|android)-?\w/;
/** …or, as codex does, to the version (`0.171.0-linux-x64`). */
const PLATFORM_TAIL = /-(?:linux|darwin|win32|windows)-(?:x64|arm64|ia32)(?:-[a-z]+)?$/;

/** The runner's name for a package that is one of its own or carries the program of one for some platform; else null. */
function ownName(name: string, packages: readonly string[]): string | null {
  const fits = (one: string) => name === one || (name.startsWith(one) && PLATFORM_NAME.test(name.slice(one.length)));
  return packages.find(fits) ?? null;
}

async function readPackage(path: string, view: View): Promise<PackageFound | null> {
  const text = await view.files.text(path);
  const data = text === null ? undefined : parseObject(text.replace(/^\uFEFF/, ''));
  const name = str(data, 'name');
  const version = str(data, 'version');
  return name === undefined || version === undefined ? null : { name, version: version.replace(PLATFORM_TAIL, '') };
}

export interface PackageAnswer {
  found: PackageFound | null;
  /** Name of the innermost package that holds the program though it is none of the runner's. */
  stranger: string | null;
}

/** Looks where npm, pnpm, yarn and bun keep the package of a program: above it, beside it, or where its stub points. */
export async function packageVersion(
  located: Located,
  packages: readonly string[],
  view: View,
): Promise<PackageAnswer> {
  const above = await walkUp(view.paths.dirname(located.real), packages, view);
  if (above.found !== null) return above;
  for (const start of await stubTargets(located, view)) {
    const answer = await walkUp(view.paths.dirname(start), packages, view);
    if (answer.found !== null) return answer;
  }
  for (const path of await beside(located, packages, view)) {
    const found = await readPackage(path, view);
    const name = found === null ? null : ownName(found.name, packages);
    if (found !== null && name !== null) return { found: { ...found, name }, stranger: null };
  }
  return above;
}

async function walkUp(start: string, packages: readonly string[], view: View): Promise<PackageAnswer> {
  let folder = start;
  let stranger: string | null = null;
  for (let step = 0; step < STEPS; step += 1) {
    const found = await readPackage(view.paths.join(folder, 'package.json'), view);
    const name = found === null ? null : ownName(found.name, packages);
    if (found !== null && name !== null) return { found: { ...found, name }, stranger: null };
    if (found !== null && folder.includes('node_modules')) stranger ??= found.name;
    const parent = view.paths.dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return { found: null, stranger };
}

/** Stubs that pnpm writes on every system, and npm on Windows, name the real file relative to themselves. */
async function stubTargets(located: Located, view: View): Promise<string[]> {
  const text = await view.files.text(located.real);
  if (text === null) return [];
  const folder = view.paths.dirname(located.real);
  const targets = [...text.matchAll(/"(?:\$basedir|%~dp0|%dp0%)[\\/]+([^"]+?)"/g)].map((match) => match[1] ?? '');
  return targets
    .filter((target) => /[\\/]/.test(target))
    .map((target) => view.paths.join(folder, view.places.platform === 'win32' ? target : target.replaceAll('\\', '/')));
}

/** A text file is a wrapper somebody wrote over the package that npm put beside it; a native program may be anything. */
async function beside(located: Located, packages: readonly string[], view: View): Promise<string[]> {
  const { paths, files, places } = view;
  const folder = paths.dirname(located.real);
  const script = places.platform === 'win32' || (await files.text(located.real))?.startsWith('#!');
  if (script !== true) return [];
  const modules = [
    paths.join(folder, '..', 'lib', 'node_modules'),
    paths.join(folder, 'node_modules'),
    ...(paths.basename(folder) === '.bin' ? [paths.dirname(folder)] : []),
  ];
  return modules.flatMap((root) => packages.map((name) => paths.join(root, ...name.split('/'), 'package.json')));
}
