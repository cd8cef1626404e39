/** A place outside, a working directory, and shell commands that run in walls or without. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findBwrap } from '../../../src/process/confine/bwrap.js';
import { bwrapArgs, type Walls } from '../../../src/process/confine/walls.js';

export interface Place {
  /** Below the home folder: nothing in it may change. */
  outside: string;
  cwd: string;
  remove(): void;
}

/** Not below /tmp, which is private inside whatever the walls do. @param owner a user for all of it */
export function place(parent = homedir()): Place {
  const outside = realpathSync(mkdtempSync(join(parent, '.turnout-test-')));
  chmodSync(outside, 0o777);
  const cwd = join(outside, 'work');
  mkdirSync(cwd);
  chmodSync(cwd, 0o777);
  return { outside, cwd, remove: () => rmSync(outside, { recursive: true, force: true }) };
}

export function walls(cwd: string, changes: Partial<Walls> = {}): Walls {
  return {
    cwd,
    start: cwd,
    writes: true,
    home: homedir(),
    empty: [],
    replaced: [],
    seen: [],
    closed: [],
    ground: [],
    turn: null,
    git: [],
    network: 'open',
    nests: false,
    uid0: process.getuid?.() === 0,
    ...changes,
  };
}

/** Whether real walls can be built here; says why not in the words that the runner of the tests counts. */
export function canConfine(): boolean {
  const bwrap = process.platform === 'linux' ? findBwrap() : null;
  const args = bwrap === null ? [] : [...bwrapArgs(walls('/usr', { writes: false }), 2), '--', '/bin/true'];
  const works = bwrap !== null && spawnSync(bwrap.path, args).status === 0;
  if (!works) console.log('SKIPPED: no bubblewrap that works (bwrap)');
  return works;
}

export interface Ran {
  code: number | null;
  out: string;
}

/**
 * @param script for `sh`, in cwd
 * @param options.in the walls; none for the control
 */
export function sh(script: string, options: { cwd: string; in?: Walls; uid?: number; args?: string[] }): Ran {
  const command = ['/bin/sh', '-c', script, 'sh', ...(options.args ?? [])];
  const bwrap = findBwrap()?.path ?? '';
  const argv = options.in ? [bwrap, ...bwrapArgs(options.in, 2), '--', ...command] : command;
  const [program = '', ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: options.cwd,
    encoding: 'utf8',
    timeout: 20_000,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  return { code: status, out: stdout + stderr };
}
