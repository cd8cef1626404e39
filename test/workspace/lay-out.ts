/** Repositories of a made-up user, and what must stay as it was in them. */

import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { outputOf } from '../run-program.js';

export interface User {
  /** The folder that holds everything. */
  root: string;
  repo: string;
  env: NodeJS.ProcessEnv;
  git(...args: string[]): string;
  /** Runs git in another folder of this user. */
  gitIn(folder: string, ...args: string[]): string;
  write(path: string, text: string | Uint8Array): void;
  read(path: string): string;
  /** Everything a user could miss: refs, configuration, stash, index, HEAD and the bytes and modes of all files. */
  fingerprint(): Record<string, string>;
  remove(): void;
}

const IDENTITY = [
  'user.name=Ada',
  'user.email=ada@localhost',
  'init.defaultBranch=main',
  'commit.gpgSign=false',
  'core.hooksPath=/dev/null',
];

function filesBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !(folder === '' && entry.name === '.git'))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    })
    .sort();
}

function bytesOf(path: string): string {
  const stat = lstatSync(path);
  const bytes = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
  return `${(stat.mode & 0o7777).toString(8)} ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A user with one repository of two commits, one change that is not committed, and one file that is not tracked. */
function user(): User {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-test-')));
  const repo = join(root, 'repo');
  mkdirSync(repo);
  const home = { HOME: join(root, 'home'), PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' };
  const gitIn = (folder: string, ...args: string[]) =>
    outputOf('git', [...IDENTITY.flatMap((one) => ['-c', one]), ...args], {
      cwd: folder,
      env: home,
    });
  const git = (...args: string[]) => gitIn(repo, ...args);
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  git('init', '--quiet');
  write('src/a.txt', 'one\ntwo\nthree\n');
  write('src/b.txt', 'b\n');
  write('.gitignore', 'ignored/\n.env\n');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  write('src/b.txt', 'b\nmore\n');
  git('commit', '--quiet', '-am', 'second');
  write('src/a.txt', 'one\ntwo\nthree\nnot committed\n');
  write('new.txt', 'untracked\n');
  return {
    root,
    repo,
    env: { ...process.env, XDG_STATE_HOME: join(root, 'state') },
    git,
    gitIn,
    write,
    read: (path) => readFileSync(join(repo, path), 'utf8'),
    fingerprint() {
      const inGit = (path: string) => bytesOf(join(repo, '.git', path));
      return {
        refs: git('for-each-ref'),
        stash: git('stash', 'list'),
        ...{ head: inGit('HEAD'), config: inGit('config'), index: inGit('index') },
        hooks: filesBelow(join(repo, '.git', 'hooks')).join('\n'),
        ...Object.fromEntries(filesBelow(repo).map((path) => [path, bytesOf(join(repo, path))])),
      };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** @param use gets a user, who is removed afterwards */
export async function withUser(use: (one: User) => Promise<void>): Promise<void> {
  const one = user();
  try {
    await use(one);
  } finally {
    one.remove();
  }
}
