/** Asks a program for its version by running it, only when the user said so: probes download updates and write files. */

import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { GRACE } from '../contract/limits.js';
import { childEnv, MARKER } from '../process/child-env.js';
import type { Running } from '../process/launch.js';
import { LaunchError, launch } from '../process/launch.js';
import { privateDir } from '../process/temp-files.js';
import type { Program } from '../runner/machine.js';
import type { Runner } from '../runner/runner.js';
import { pathFor, pathKey } from './child-path.js';
import type { Places } from './places.js';
import { variable } from './places.js';

export interface Probed {
  version: string | null;
  /** What a person should know when there is no version. */
  note: string | null;
}

/** Milliseconds a program may take to answer. */
export const PROBE_LIMIT = 5000;
/** Lines looked at; a warning may come before the version. */
const LINES = 5;
const ANY_VERSION = /\d+\.\d+(?:\.\d+)*(?:-[0-9A-Za-z.-]+)?/;

/** Passed on when set: without them nothing starts, or a version manager's stub finds nothing. No key is among them. */
const PASSED =
  /^(?:PATHEXT|SystemRoot|SystemDrive|windir|ComSpec|ProgramFiles.*|ProgramData|NUMBER_OF_PROCESSORS|LANG|LC_.*|TZ|LD_LIBRARY_PATH|(?:ASDF|MISE|VOLTA|NODENV|PYENV|NVM|FNM|UV_TOOL|PIPX)_\w*)$/i;

const QUIET: Readonly<Record<string, string>> = {
  CI: '1',
  NO_UPDATE_NOTIFIER: '1',
  DISABLE_AUTOUPDATER: '1',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  BROWSER: 'none',
};

/** Runs it in a scratch folder with a scratch home and no stdin; its whole process group is ended after that. Never throws. */
export async function probeVersion(
  runner: Runner,
  program: Program,
  places: Places,
  limit = PROBE_LIMIT,
): Promise<Probed> {
  try {
    const scratch = await privateDir();
    try {
      const id = randomUUID();
      const env = await scratchEnv(runner, program, places, scratch.path, id);
      const argv = [program.path, ...program.args, ...(runner.version?.args ?? ['--version'])];
      return await ask(argv, env, scratch.path, id, runner, limit);
    } finally {
      await scratch.remove();
    }
  } catch (error) {
    if (error instanceof LaunchError) return { version: null, note: `could not be started: ${error.message}` };
    return {
      version: null,
      note: `could not be asked for its version: ${error instanceof Error ? error.message : 'unknown reason'}`,
    };
  }
}

async function ask(
  argv: string[],
  env: Record<string, string>,
  cwd: string,
  id: string,
  runner: Runner,
  limit: number,
): Promise<Probed> {
  const printed: string[] = [];
  let gone: () => void = () => {};
  const exited = new Promise<'exited'>((resolve) => {
    gone = () => resolve('exited');
  });
  const ears = {
    line: (text: string) => void (printed.length < LINES && printed.push(text)),
    dropped: () => {},
    stderr: () => {},
    exit: () => gone(),
  };
  const marker = { name: MARKER, value: id };
  const running: Running = await launch({ argv, cwd, env, stdin: 'null', stdout: 'pipe', marker }, ears);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limit);
  });
  const outcome = await Promise.race([exited, late]);
  clearTimeout(timer);
  const { survivors } = await running.end({ termMs: GRACE.term, killMs: GRACE.kill });
  const version = findVersion(printed, runner);
  if (version !== null)
    return { version, note: survivors.length === 0 ? null : `left processes behind: ${survivors.join(', ')}` };
  return { version, note: outcome === 'late' ? `gave no version within ${limit / 1000} s` : 'printed no version' };
}

function findVersion(printed: readonly string[], runner: Runner): string | null {
  const { source, flags } = runner.version?.pattern ?? ANY_VERSION;
  // A global or sticky pattern would remember where the last line ended.
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
  for (const line of printed) {
    const found = pattern.exec(line);
    if (found !== null) return found[1] ?? found[0];
  }
  return null;
}

async function scratchEnv(
  runner: Runner,
  program: Program,
  places: Places,
  scratch: string,
  id: string,
): Promise<Record<string, string>> {
  const homes: Record<string, string> = {};
  for (const [name, folder] of Object.entries(SCRATCH)) {
    homes[name] = path.join(scratch, folder);
    await mkdir(homes[name], { recursive: true, mode: 0o700 });
  }
  const ambient = Object.fromEntries(Object.entries(places.env).filter(([name]) => PASSED.test(name)));
  const set = {
    ...managerHomes(places),
    ...homes,
    ...QUIET,
    ...runner.version?.env,
    [pathKey(places.env, places.platform)]: pathFor(program, places.env, places.platform),
  };
  return childEnv({ ambient, scrub: [], foreignKeys: [], set, explicit: {}, turnId: id, platform: places.platform });
}

const SCRATCH: Readonly<Record<string, string>> = {
  HOME: 'home',
  USERPROFILE: 'home',
  APPDATA: 'home/AppData/Roaming',
  LOCALAPPDATA: 'home/AppData/Local',
  XDG_CONFIG_HOME: 'home/.config',
  XDG_DATA_HOME: 'home/.local/share',
  XDG_STATE_HOME: 'home/.local/state',
  XDG_CACHE_HOME: 'home/.cache',
  TMPDIR: 'tmp',
  TEMP: 'tmp',
  TMP: 'tmp',
};

/** A stub looks for its manager's folder in HOME, which is a scratch folder here. */
function managerHomes(places: Places): Record<string, string> {
  if (places.platform === 'win32') return {};
  const folders = {
    ASDF_DATA_DIR: '.asdf',
    MISE_DATA_DIR: '.local/share/mise',
    MISE_CONFIG_DIR: '.config/mise',
    VOLTA_HOME: '.volta',
    NODENV_ROOT: '.nodenv',
    PYENV_ROOT: '.pyenv',
  };
  const unset = Object.entries(folders).filter(([name]) => variable(places, name) === null);
  return Object.fromEntries(unset.map(([name, folder]) => [name, path.join(places.home, folder)]));
}
