/** The walls around one turn's program, from the runtime's row, the mode and this machine. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { gitFolders } from '../../process/confine/git-folders.js';
import type { LoginCopy } from '../../process/confine/login-copy.js';
import { type Walls, within } from '../../process/confine/walls.js';
import { stateDir } from '../../process/state-dir.js';
import type { PrivateDir } from '../../process/temp-files.js';
import type { ConfineRow } from '../../runner/confine-row.js';
import type { Machine } from '../../runner/machine.js';
import type { TurnRequest } from '../../runner/request.js';
import type { Runner } from '../../runner/runner.js';
import { SECRETS } from './secrets.js';
import { folderOf, type Laid, layOut, programRoot } from './state.js';

export interface TurnWalls {
  walls: Omit<Walls, 'start' | 'turn'>;
  logins: readonly LoginCopy[];
}

export interface WallsOptions {
  row: ConfineRow;
  request: TurnRequest;
  machine: Machine;
  /** Whether files in cwd may be written. */
  writes: boolean;
  /** The environment the program gets, as far as folders are concerned. */
  env: NodeJS.ProcessEnv;
  /** Its home folder. */
  home: string;
  /** Its id. */
  runner: string;
  /** All runtimes: the state of the others is closed. */
  runners: readonly Runner[];
  privateDir(): Promise<PrivateDir>;
}

function real(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

const exists = (path: string | null): path is string => path !== null;

/** @returns the walls, or why they can't stand around that folder @throws when a folder can't be made or copied */
export async function wallsOf(options: WallsOptions): Promise<TurnWalls | { unfit: string }> {
  const { row, request, machine, writes } = options;
  const { cwd } = request;
  const home = real(options.home) ?? options.home;
  const laid = await layOut(row, options.env, home, options.privateDir);
  const closed = closedOf(options, home, laid);
  const covering = [...laid.empty, ...laid.replaced.map(({ at }) => at), ...closed.map(({ at }) => at)];
  const cover = covering.find((folder) => within(cwd, folder));
  if (cover !== undefined) {
    return { unfit: `${cwd} lies in ${cover}, which is closed inside the confinement: choose another --cwd` };
  }
  const kept = request.policy
    ? (await import('../policy/begin.js')).compiled(request.policy, options.runner, cwd)
    : null;
  const git = writes ? gitFolders(cwd) : { found: [], link: null };
  if (git.link !== null) {
    return {
      unfit: `${git.link} is a link, so the repository could not be kept from being changed: use --access read`,
    };
  }
  return {
    logins: laid.logins,
    walls: {
      cwd,
      writes,
      home,
      empty: laid.empty,
      replaced: laid.replaced,
      seen: laid.seen,
      closed: [...closed, ...(kept?.hidden ?? []).map(real).filter(exists).map(closedAt)],
      ground: ground(machine, request, options.env),
      git: [...git.found, ...(kept?.fixed ?? []).map(real).filter(exists)],
      network: 'open',
      nests: row.nests === true,
      uid0: machine.uid0,
    },
  };
}

const closedAt = (at: string) => ({ at, folder: statSync(at).isDirectory() });

/** Secrets, turnout's own state, and what other runtimes keep. */
function closedOf({ runners, env }: WallsOptions, home: string, laid: Laid): Walls['closed'] {
  const own = [...laid.empty, ...laid.replaced.map(({ at }) => at), ...laid.seen.map(({ at }) => at)];
  const others = runners.flatMap((runner) => runner.confine?.state ?? []).map((state) => folderOf(state, env, home));
  const paths = [...SECRETS.map((name) => join(home, name)), stateDir(env), ...others].map(real).filter(exists);
  return [...new Set(paths)]
    .filter((path) => !own.some((mine) => within(mine, path) || within(path, mine)))
    .filter((path) => !within(home, path))
    .map(closedAt);
}

/** What a turn needs wherever it lies: most of it lies where the root folder shows it anyway. */
function ground({ program, turnout }: Machine, request: TurnRequest, env: NodeJS.ProcessEnv): string[] {
  const resolver = real('/etc/resolv.conf');
  const words = request.mcpServers.flatMap((one) => (one.type === 'stdio' ? [one.command, ...one.args] : []));
  const files = [program.path, program.real, ...program.args, ...turnout, process.execPath, ...words].filter(
    isAbsolute,
  );
  const paths = [
    ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute),
    ...files.filter(existsSync).map((path) => dirname(path)),
    ...files.map(real).filter(exists).map(programRoot),
    ...turnout.filter(isAbsolute).map((path) => dirname(dirname(path))),
    ...(resolver === null ? [] : [dirname(resolver)]),
  ];
  // A folder that is itself shared would bring back what it was emptied for.
  return paths.filter((path) => existsSync(path) && !['/', '/tmp', '/run', '/var/tmp', '/etc'].includes(path));
}
