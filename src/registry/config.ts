/** The configuration files: the user's and the project's. Unknown keys are kept for those who know them. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from '../contract/error.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';

/** Name of the project's file, in the working folder itself. */
export const PROJECT_FILE = 'turnout.config.json';

export interface ConfigPlaces {
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
  cwd: string;
}

export interface Config {
  /** Ids that `auto` tries, best first; empty when nobody said. */
  runtimes: string[];
  /** Everything the files say; the project's keys win. */
  values: JsonObject;
  /** The files that were read, the user's first. */
  files: string[];
}

/** Where the user's file is: `$XDG_CONFIG_HOME/turnout/config.json`, else below `~/.config` (`%APPDATA%` on Windows). */
export function userConfigPath(places: ConfigPlaces): string {
  const { env, home, platform } = places;
  const xdg = env.XDG_CONFIG_HOME;
  // The XDG rules say that a relative path there is to be ignored.
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'turnout', 'config.json');
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'turnout', 'config.json');
  return path.join(home, '.config', 'turnout', 'config.json');
}

/**
 * Reads both files; one that does not exist says nothing.
 * @throws {UsageError} a file that can't be read, is no JSON object, or has a bad `runtimes`; the message names the file
 */
export async function readConfig(places: ConfigPlaces): Promise<Config> {
  const values: JsonObject = {};
  const files: string[] = [];
  for (const file of [userConfigPath(places), path.join(places.cwd, PROJECT_FILE)]) {
    const found = await readOne(file);
    if (found === null) continue;
    runtimesOf(found, file);
    Object.assign(values, found);
    files.push(file);
  }
  return { runtimes: runtimesOf(values, files.at(-1) ?? ''), values, files };
}

/** Ids that `auto` tries first. @throws {UsageError} as {@link readConfig} */
export async function preferredRuntimes(places: ConfigPlaces): Promise<string[]> {
  return (await readConfig(places)).runtimes;
}

async function readOne(file: string): Promise<JsonObject | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new UsageError(`${file} can't be read (${String(code ?? 'unknown reason')})`, { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new UsageError(`${file} is not valid JSON: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
  if (!isObject(value)) throw new UsageError(`${file} must hold a JSON object`);
  return value;
}

function runtimesOf(values: JsonObject, file: string): string[] {
  const list: Json = values.runtimes ?? [];
  const names = Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one.trim() !== '') : null;
  if (names === null || !Array.isArray(list) || names.length !== list.length) {
    throw new UsageError(`${file}: "runtimes" must be a list of runtime ids, such as ["claude", "codex"]`);
  }
  return names.map(String);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
