import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { confinedEnv } from '../../../src/process/confine/env.js';
import { bwrapArgs, type Walls, within } from '../../../src/process/confine/walls.js';
import { walls } from './walled.js';

const test = suite('plan of the walls');

/** Pairs of source and place that may be written. */
function writable(args: readonly string[]): [from: string, at: string][] {
  return args.flatMap((arg, index) => (arg === '--bind' ? [[args[index + 1] ?? '', args[index + 2] ?? '']] : [])) as [
    string,
    string,
  ][];
}

/** Small and repeatable. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

test('whatever the row and the mode, only the folder, the sessions, logins and the turn may be written', () => {
  const paths = ['/home/u/p', '/home/u/.x', '/home/u/.x/s', '/tmp/a', '/run/b', '/home/u/p/.git', '/srv/c', '/opt/d'];
  for (let seed = 1; seed <= 500; seed++) {
    const next = random(seed);
    const some = () => paths.filter(() => next(3) === 0);
    const plan: Walls = walls(paths[next(paths.length)] ?? '/srv', {
      writes: next(2) === 0,
      empty: some(),
      replaced: some().map((at) => ({ at, by: `/tmp/turnout-x${at}` })),
      seen: some().map((at) => ({ at, from: at, writable: next(2) === 0 })),
      closed: some().map((at) => ({ at, folder: next(2) === 0 })),
      ground: some(),
      git: some(),
      turn: next(2) === 0 ? { at: '/tmp/turnout-x', writable: next(2) === 0 } : null,
      network: next(2) === 0 ? 'open' : 'none',
      nests: next(2) === 0,
    });
    const allowed = [
      ...(plan.writes ? [plan.cwd] : []),
      ...plan.replaced.map(({ at }) => at),
      ...plan.seen.filter((one) => one.writable).map(({ at }) => at),
      ...(plan.turn?.writable ? [plan.turn.at] : []),
    ];
    const args = bwrapArgs(plan, 3);
    for (const [, at] of writable(args)) assert.ok(allowed.includes(at), `seed ${seed}: ${at}`);
    assert.is(args.includes('--unshare-net'), plan.network === 'none');
    for (const flag of ['--unshare-user', '--unshare-pid', '--die-with-parent']) assert.ok(args.includes(flag));
    assert.is(args.includes('--disable-userns'), !plan.nests);
    // What is mounted later covers what was mounted before: nothing may come after .git but the start.
    const git = plan.git[plan.git.length - 1];
    if (git !== undefined) assert.equal(args.slice(-5), ['--ro-bind', git, git, '--chdir', plan.start]);
  }
});

test('root keeps no capability, but for the one that a sandbox inside needs', () => {
  const args = bwrapArgs(walls('/srv', { nests: true, uid0: true }), 3).join(' ');
  assert.match(args, /--cap-drop ALL --cap-add CAP_SETFCAP/);
  assert.not.match(bwrapArgs(walls('/srv', { uid0: true }), 3).join(' '), /--cap-add/);
});

test('what lies in a shared folder is brought back only where it is needed', () => {
  const args = bwrapArgs(walls('/srv', { ground: ['/usr/bin', '/tmp/lab/bin'] }), 3).join(' ');
  assert.match(args, /--ro-bind \/tmp\/lab\/bin/);
  assert.not.match(args, /--ro-bind \/usr\/bin/);
});

test('a folder holds what is below it, and no namesake', () => {
  assert.ok(within('/a/b', '/a'));
  assert.ok(within('/a', '/a'));
  assert.ok(within('/a', '/'));
  assert.not.ok(within('/ab', '/a'));
});

test('the ways to services outside are left out, unless the caller gave them', () => {
  const env = { SSH_AUTH_SOCK: '/run/a', DISPLAY: ':0', TMPDIR: '/home/u/tmp', PATH: '/bin' };
  const inside = confinedEnv(env, new Set(['DISPLAY']));
  assert.equal(inside['SSH_AUTH_SOCK'], undefined);
  assert.equal(inside['DISPLAY'], ':0');
  assert.equal(inside['TMPDIR'], '/tmp');
  assert.equal(inside['PATH'], '/bin');
});

test.run();
