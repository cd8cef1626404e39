/** The environment of a probe: a home that is thrown away, nothing of the user's but what it takes to start. */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { childEnv } from '../process/child-env.js';
import type { Program } from '../runner/machine.js';
import type { Runner } from '../runner/runner.js';
import { pathFor, pathKey } from './child-path.js';
import type { Places } from './places.js';
import { variable } from './places.js';

/** Passed on when set: without them nothing starts, or a version manager's stub finds nothing. */
const PASSED =
  /^(?:PATHEXT|SystemRoot|SystemDrive|windir|ComSpec|ProgramFiles.*|ProgramData|NUMBER_OF_PROCESSORS|LANG|LC_.*|TZ|LD_LIBRARY_PATH|(?:ASDF|MISE|VOLTA|NODENV|PYENV|NVM|FNM|UV_TOOL|PIPX)_\w*)$/i;

/** Managers also keep tokens in variables of their own (`MISE_GITHUB_TOKEN`). */
const SECRET = /KEY|TOKEN|SECRET|PASSW/i;

const QUIET: Readonly<Record<string, string>> = {
  CI: '1',
  NO_UPDATE_NOTIFIER: '1',
  DISABLE_AUTOUPDATER: '1',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  BROWSER: 'none',
};

/** Makes the scratch folders below `scratch` and returns the complete environment; `id` is the marker's value. */
export async function scratchEnv(
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
  const ambient = Object.fromEntries(
    Object.entries(places.env).filter(([name]) => PASSED.test(name) && !SECRET.test(name)),
  );
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
