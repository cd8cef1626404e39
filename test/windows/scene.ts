/** What the scenarios stand on: a person's folders, fake runtimes, and who of them is still alive. */

import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, place, type Running, type RunOptions, run, WATCHDOG_MS } from '../contract/cli.js';

/** Where the compiled programs lie (`test/windows/c`). */
const PROGRAMS = process.env['TURNOUT_WINDOWS_PROGRAMS'] ?? '';
/** Of the lab: what every Node in it is started with. */
const OF_THE_LAB = ['NODE_OPTIONS', 'NODE_PATH', 'SystemRoot'];

/** Folders of a person of their own. @param path in front of the system's PATH */
export function scene(path: readonly string[] = [], env: Record<string, string> = {}): Place {
  const kept = OF_THE_LAB.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']]));
  const made = place({ ...Object.fromEntries(kept), ...env });
  const { HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME, TMPDIR, PATH, ...rest } = made.env;
  return {
    ...made,
    env: {
      ...rest,
      Path: [...path, ...(PATH ?? '').split(';')].join(';'),
      USERPROFILE: HOME ?? '',
      APPDATA: XDG_CONFIG_HOME ?? '',
      LOCALAPPDATA: XDG_CACHE_HOME ?? '',
      TEMP: TMPDIR ?? '',
      TMP: TMPDIR ?? '',
    },
  };
}

/** A compiled program under another name. */
export function program(name: string, folder: string, as: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(PROGRAMS, name), join(folder, as));
  return join(folder, as);
}

/** A text file, and the folders above it. */
export function file(folder: string, name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** `turnout agent exec --runtime RUNTIME …` */
export function exec(runtime: string, args: readonly string[], where: Place, options: RunOptions = {}): Running {
  return run(['agent', 'exec', '--runtime', runtime, ...args], { ...options, place: where });
}

/** What the fake runtime wrote down: its arguments, or null when it did not run. */
export function argumentsIn(log: string): string[] | null {
  try {
    return readFileSync(log, 'utf8').split('\0').slice(0, -1);
  } catch {
    return null;
  }
}

/** Waits for a condition, asked again and again. @throws Error after the watchdog's time */
export async function until(what: string, holds: () => boolean, ms = WATCHDOG_MS): Promise<void> {
  for (const end = Date.now() + ms; !holds(); ) {
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Those of a tree (`tree.c`) that live: each holds a file of its name open, and shares it with nobody. */
export function living(folder: string): string[] {
  return readdirSync(folder).filter((name) => {
    try {
      closeSync(openSync(join(folder, name), 'r+'));
      return false;
    } catch {
      return true;
    }
  });
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
