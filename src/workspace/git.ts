/** Runs git so that nothing in a repository can steer it: no hooks, no monitor, no pager, no prompt, an index of our own. */

import { onPath } from '../process/system-program.js';
import { WorkspaceError } from './failure.js';

/** Settings that win over every configuration file. */
const HARDENED = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.splitIndex', 'false'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['commit.gpgSign', 'false'],
  ['advice.addEmbeddedRepo', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** How it may reach another machine: by nothing that starts a program which an address names. */
const OVER_NETWORK = ['https', 'ssh', 'file'].flatMap((name) => ['-c', `protocol.${name}.allow=always`]);

/** Commits of ours are made at one fixed time by one fixed name, so that the same tree is the same commit. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'turnout',
  GIT_AUTHOR_EMAIL: 'turnout@localhost',
  GIT_AUTHOR_DATE: '1970-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'turnout',
  GIT_COMMITTER_EMAIL: 'turnout@localhost',
  GIT_COMMITTER_DATE: '1970-01-01T00:00:00Z',
};

const MOST_OUTPUT = 512 * 1024 * 1024;

export interface GitOptions {
  cwd: string;
  /** The repository; found from `cwd` when absent. */
  gitDir?: string;
  /** The files that belong to it. */
  workTree?: string;
  /** An index of ours instead of the repository's. */
  index?: string;
  /** Where new objects are written; those of `alternates` are read as well. */
  objects?: { write: string; alternates: readonly string[] };
  /** Commits carry the repository's own author instead of ours. */
  ownIdentity?: boolean;
  /** It asks another machine: nothing there or here may ask a person, and it is given up after that many milliseconds. */
  overNetworkMs?: number;
  input?: Uint8Array | string;
  /** Exit codes that are answers; 0 alone when absent. */
  ok?: readonly number[];
  /** Pathspecs with magic in front (`:(exclude)…`) are understood. */
  magicPathspecs?: boolean;
}

export interface GitOutput {
  code: number;
  bytes: Uint8Array;
  /** stdout as UTF-8, without its last newline. */
  text: string;
}

function environment(options: GitOptions): NodeJS.ProcessEnv {
  const { gitDir, workTree, index, objects } = options;
  // What describes the repository our caller stands in must not lead git there.
  const ambient = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return {
    ...Object.fromEntries(ambient),
    ...(options.ownIdentity ? {} : IDENTITY),
    ...(options.magicPathspecs ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
    GIT_TERMINAL_PROMPT: '0',
    ...(options.overNetworkMs === undefined ? {} : { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(objects === undefined
      ? {}
      : {
          GIT_OBJECT_DIRECTORY: objects.write,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.alternates
            .map(quoted)
            .join(process.platform === 'win32' ? ';' : ':'),
        }),
  };
}

/** A path with the separator in it is given in quotes (git 2.11 and newer). */
function quoted(path: string): string {
  return /[:;"\n]/.test(path) ? `"${path.replace(/["\\]/g, (found) => `\\${found}`).replaceAll('\n', '\\n')}"` : path;
}

/**
 * @param args without the word `git`; values of callers only where git takes no option
 * @throws WorkspaceError `git` with git's own last words
 */
export async function git(args: readonly string[], options: GitOptions): Promise<GitOutput> {
  // Loaded where a copy is made, not with every turn.
  const { execa } = await import('execa');
  const ran = await execa(
    onPath('git', environment(options), { cwd: options.cwd }),
    [...HARDENED, ...(options.overNetworkMs === undefined ? [] : OVER_NETWORK), ...args],
    {
      cwd: options.cwd,
      env: environment(options),
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
      encoding: 'buffer',
      maxBuffer: MOST_OUTPUT,
      ...(options.overNetworkMs === undefined ? {} : { timeout: options.overNetworkMs }),
      ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    },
  );
  if (ran.timedOut) throw new WorkspaceError('git', `git ${args[0]} took longer than ${options.overNetworkMs} ms`);
  if (ran.exitCode === undefined) {
    const missing = ran.code === 'ENOENT';
    const why = missing
      ? 'git was not found; install git 2.38 or newer'
      : `git ${args[0]} did not run (${ran.code ?? ran.signal})`;
    throw new WorkspaceError('git', why);
  }
  const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!(options.ok ?? [0]).includes(ran.exitCode)) {
    const said = decoded(ran.stderr).trim().split('\n').slice(-3).join('; ');
    throw new WorkspaceError(
      'git',
      `git ${args[0]} failed with exit code ${ran.exitCode}: ${said || 'it printed no reason'}`,
    );
  }
  return { code: ran.exitCode, bytes: ran.stdout, text: decoded(ran.stdout).replace(/\r?\n$/, '') };
}

/** The parts of a `-z` output. */
export const zeroParts = (text: string): string[] => text.split('\0').filter((part) => part !== '');
