/** The configuration files: the user's and the project's. Unknown keys are kept for those who know them. */

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from '../contract/error.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { isObject } from '../text/json.js';

/** Name of the project's file, in the working folder itself. */
const PROJECT_FILE = 'turnout.config.json';

export interface ConfigPlaces {
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
  cwd: string;
}

/** One of the two files, checked. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  level: 'user' | 'project';
  values: JsonObject;
}

export interface Config {
  /** Ids that `auto` tries, best first; empty when nobody said. */
  runtimes: string[];
  /** Everything the files say; the project's keys win. */
  values: JsonObject;
  /** The files that were read, the user's first. */
  files: string[];
}

/** Keys we know, each a list of texts, and what such a list looks like. */
const LISTS = {
  runtimes: 'a list of runtime ids, such as ["claude", "codex"]',
  runners: 'a list of paths or npm packages, such as ["./my-runner.js", "turnout-toy"]',
  trusted_projects: 'a list of folders, such as ["~/projects/app"]',
} as const;

/** Where the user's file is: `$XDG_CONFIG_HOME/turnout/config.json`, else below `~/.config` (`%APPDATA%` on Windows). */
export function userConfigPath(places: ConfigPlaces): string {
  const { env, home, platform } = places;
  const xdg = env.XDG_CONFIG_HOME;
  // The XDG rules say that a relative path there is to be ignored.
  // On Windows one without a drive hangs on the current one.
  const isFull = (one: string) => path.isAbsolute(one) && (platform !== 'win32' || /^(?:[A-Za-z]:|[\\/]{2})/.test(one));
  if (xdg !== undefined && isFull(xdg)) return path.join(xdg, 'turnout', 'config.json');
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'turnout', 'config.json');
  return path.join(home, '.config', 'turnout', 'config.json');
}

/** Where both files are, the user's first. */
export function configPaths(places: ConfigPlaces): Pick<ConfigFile, 'path' | 'level'>[] {
  return [
    { path: userConfigPath(places), level: 'user' },
    { path: path.join(places.cwd, PROJECT_FILE), level: 'project' },
  ];
}

/**
 * Reads both files; one that does not exist says nothing.
 * @throws {UsageError} a file that can't be read, is no JSON object, or has a key of ours with a bad value; it names the file
 */
export async function readConfig(places: ConfigPlaces): Promise<Config> {
  const values: JsonObject = {};
  const files: string[] = [];
  let runtimes: string[] = [];
  for (const { path: file } of configPaths(places)) {
    const found = await readConfigFile(file);
    if (found === null) continue;
    if ('runtimes' in found) runtimes = listOf(found, 'runtimes');
    Object.assign(values, found);
    files.push(file);
  }
  return { runtimes, values, files };
}

/** Ids that `auto` tries first. @throws {UsageError} as {@link readConfig} */
export async function preferredRuntimes(places: ConfigPlaces): Promise<string[]> {
  return (await readConfig(places)).runtimes;
}

/** A list that the file holds under one of our keys, without blank entries; empty when it says nothing. */
export function listOf(values: JsonObject, key: keyof typeof LISTS): string[] {
  const list = values[key];
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** Comments and trailing commas are allowed; the library that knows them is loaded where they are. @throws {UsageError} */
async function parseConfig(text: string, file: string): Promise<unknown> {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(plain);
  } catch (cause) {
    const { parseCommented } = await import('./settings/edit.js');
    const found = parseCommented(plain);
    if (found !== undefined) return found;
    throw new UsageError(`${file} is not valid JSON: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** @returns null when there is none @throws {UsageError} as {@link readConfig} */
export async function readConfigFile(file: string): Promise<JsonObject | null> {
  let text: string;
  try {
    // A pipe in its place would be waited for without end.
    const found = await stat(file);
    if (!found.isFile() && !found.isDirectory()) throw new UsageError(`${file} is not a file`);
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new UsageError(`${file} can't be read (${String(code ?? 'unknown reason')})`, { cause });
  }
  const value = await parseConfig(text, file);
  if (!isObject(value)) throw new UsageError(`${file} must hold a JSON object`);
  for (const [key, meant] of Object.entries(LISTS)) {
    const list = value[key];
    const fits = Array.isArray(list) && list.every((one) => typeof one === 'string' && one.trim() !== '');
    if (list !== undefined && !fits) throw new UsageError(`${file}: "${key}" must be ${meant}`);
  }
  return value;
}
