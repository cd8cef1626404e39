/** Runners that configuration files name. One that does not work is left out and told; it never stops the others. */

import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from '../contract/error.js';
import type { BrokenRunner } from '../contract/scan.js';
import type { JsonObject } from '../contract/vocabulary.js';
import type { Runner } from '../runner/runner.js';
import { type ConfigFile, type ConfigPlaces, configPaths, listOf, readConfigFile, userConfigPath } from './config.js';
import { loadRunner } from './external.js';
import { resolvePackage } from './resolve-package.js';

export interface Configured {
  /** Those that work, in the order in which they were named, the user's first. */
  runners: Runner[];
  broken: BrokenRunner[];
}

interface Named {
  name: string;
  file: string;
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Reads both files and loads what they name. Never throws. @param builtin the runners whose names are taken */
export async function configuredRunners(places: ConfigPlaces, builtin: readonly Runner[]): Promise<Configured> {
  const broken: BrokenRunner[] = [];
  const files: ConfigFile[] = [];
  for (const { path: file, level } of configPaths(places)) {
    try {
      const values = await readConfigFile(file);
      if (values !== null) files.push({ path: file, level, values });
    } catch (error) {
      broken.push({ runner: file, from: file, code: 'config', reason: words(error) });
    }
  }
  const user = files.find(({ level }) => level === 'user');
  const trusted = await isTrusted(places, user?.values ?? {});
  const named: Named[] = [];
  for (const { path: file, level, values } of files) {
    const here = listOf(values, 'runners').map((name) => ({ name, file }));
    if (level === 'user' || trusted) named.push(...here);
    else broken.push(...here.map((one) => untrusted(one, places)));
  }
  const loaded = await Promise.all(named.map((one) => load(one, places)));
  return { ...unique(loaded, builtin, broken) };
}

function untrusted({ name, file }: Named, places: ConfigPlaces): BrokenRunner {
  const reason = `it is code that ${places.cwd} brings along, and that folder is not in "trusted_projects" of ${userConfigPath(places)}`;
  return { runner: name, from: file, code: 'untrusted', reason };
}

/** Whether the user's own file trusts the working folder, or one above it; links are followed on both sides. */
export async function isTrusted(places: ConfigPlaces, user: JsonObject): Promise<boolean> {
  const real = (one: string) => realpath(one).catch(() => null);
  const cwd = await real(places.cwd);
  if (cwd === null) return false;
  for (const one of listOf(user, 'trusted_projects')) {
    const folder = await real(fromHome(one, places));
    if (folder === null || !path.isAbsolute(fromHome(one, places))) continue;
    const below = path.relative(folder, cwd);
    if (below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)) return true;
  }
  return false;
}

function fromHome(text: string, places: ConfigPlaces): string {
  return /^~(?:[\\/]|$)/.test(text) ? path.join(places.home, text.slice(1)) : text;
}

type Loaded = { named: Named; where: string; runner: Runner } | BrokenRunner;

async function load(named: Named, places: ConfigPlaces): Promise<Loaded> {
  const { name, file } = named;
  const folder = path.dirname(file);
  const told = fromHome(name, places);
  try {
    const isPath = /^\.\.?[\\/]/.test(told) || path.isAbsolute(told);
    const where = isPath ? path.resolve(folder, told) : await resolvePackage(told, folder);
    return { named, where, runner: await loadRunner(where) };
  } catch (error) {
    const shape = error instanceof UsageError && error.cause === undefined;
    return { runner: name, from: file, code: shape ? 'shape' : 'load', reason: words(error) };
  }
}

/** A configured runner may not take a name that somebody has: whose prompts it would get, nobody would see. */
function unique(loaded: readonly Loaded[], builtin: readonly Runner[], before: readonly BrokenRunner[]): Configured {
  const taken = new Map<string, string>();
  for (const one of builtin) for (const name of namesOf(one)) taken.set(name, 'a built-in runtime');
  const owners = new Set<string>();
  const runners: Runner[] = [];
  const broken = [...before];
  for (const one of loaded) {
    if ('reason' in one) {
      broken.push(one);
      continue;
    }
    const { named, where, runner } = one;
    // The user's file and the project's may name the same module.
    if (owners.has(where)) continue;
    const name = namesOf(runner).find((each) => taken.has(each));
    if (name === undefined) {
      runners.push(runner);
      owners.add(where);
      for (const each of namesOf(runner)) taken.set(each, where);
      continue;
    }
    const reason = `its name ${name} belongs to ${taken.get(name)}; only --runner may replace a runtime`;
    broken.push({ runner: named.name, from: named.file, code: 'taken', reason });
  }
  return { runners, broken };
}

const namesOf = (runner: Runner): string[] => [runner.id, ...(runner.aliases ?? [])];
