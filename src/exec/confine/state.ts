/** A runtime's row, laid out on this machine: real folders, made where they are missing. */

import { copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { copyLogin, guardLogin, type LoginCopy } from '../../process/confine/login-copy.js';
import type { Walls } from '../../process/confine/walls.js';
import { makeFolder } from '../../process/make-folder.js';
import type { PrivateDir } from '../../process/temp-files.js';
import type { ConfineRow, StateFolder } from '../../runner/confine-row.js';

export type Seen = Walls['seen'][number];

export interface Laid extends Pick<Walls, 'empty' | 'replaced' | 'seen'> {
  logins: readonly LoginCopy[];
}

/** @param env the environment the program gets */
export function folderOf(state: StateFolder, env: NodeJS.ProcessEnv, home: string): string {
  const moved = state.variable === undefined ? undefined : env[state.variable];
  if (moved && isAbsolute(moved)) return state.below === undefined ? moved : join(moved, state.below);
  return state.at.startsWith('~/') ? join(home, state.at.slice(2)) : state.at;
}

/** Links of a home folder are followed (some keep it in a repository of their own), but never those of a name inside. */
function made(path: string): string {
  makeFolder(path, 0o700);
  return realpathSync(path);
}

/** @throws when a folder can't be made or a login not be copied */
export async function layOut(
  row: ConfineRow,
  env: NodeJS.ProcessEnv,
  home: string,
  privateDir: () => Promise<PrivateDir>,
): Promise<Laid> {
  const empty: string[] = [];
  const replaced: { at: string; by: string }[] = [];
  const seen: Seen[] = [];
  const logins: LoginCopy[] = [];
  for (const [index, state] of row.state.entries()) {
    const at = made(folderOf(state, env, home));
    const there = (name: string) => existsSync(join(at, name));
    const found = (state.logins ?? []).filter(there);
    // A file that is mounted can't be replaced, which is how some programs write theirs.
    const logged = state.kept ? [] : found;
    if (state.kept) for (const name of found) logins.push(await guardLogin(realpathSync(join(at, name))));
    const copied = (state.copies ?? []).filter(there);
    const own = logged.length + copied.length > 0 ? join((await privateDir()).path, `state-${index}`) : null;
    if (own !== null) mkdirSync(own, { mode: 0o700 });
    if (state.kept) seen.push({ at, from: at, writable: true });
    else if (own !== null) replaced.push({ at, by: own });
    else empty.push(at);
    for (const name of state.sessions ?? [])
      seen.push({ at: join(at, name), from: made(join(at, name)), writable: true });
    for (const name of (state.config ?? []).filter(there)) {
      seen.push({ at: join(at, name), from: realpathSync(join(at, name)), writable: false });
    }
    if (own === null) continue;
    for (const name of [...logged, ...copied]) {
      const [original, copy] = [realpathSync(join(at, name)), join(own, name)];
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      if (logged.includes(name)) logins.push(await copyLogin(original, copy));
      else copyFileSync(original, copy);
      if (state.kept) seen.push({ at: join(at, name), from: copy, writable: true });
    }
  }
  return { empty, replaced, seen, logins };
}

/** The parent of the outermost `node_modules` that holds a program, else its folder: what it is made of. */
export function programRoot(path: string): string {
  const at = path.indexOf('/node_modules/');
  return at === -1 ? dirname(path) : path.slice(0, at + '/node_modules'.length);
}
