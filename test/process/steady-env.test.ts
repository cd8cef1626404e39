import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childEnv } from '../../src/process/child-env.js';
import { LOCATION, LOCATION_NAMES } from '../../src/process/located-env.js';
import { outputOf } from '../run-program.js';

const test = suite('an environment that does not point into the working directory');
let folder = '';
let work = '';
let evil = '';
let mark = '';
test.before.each(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-steady-')));
  work = join(folder, 'work');
  evil = join(folder, 'evil.sh');
  mark = join(folder, 'ran');
  mkdirSync(work);
  writeFileSync(evil, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const HOME = { HOME: '/nowhere', PATH: process.env['PATH'] ?? '' };
const env = (ambient: Record<string, string>, writes: boolean, explicit: Record<string, string> = {}) =>
  childEnv({
    ambient: { ...HOME, ...ambient },
    scrub: [],
    foreignKeys: [],
    set: {},
    explicit,
    turnId: 't',
    cwd: work,
    writes,
  });
/** Runs a command line of the system's shell as an agent's program would. */
const ran = (command: string, made: Record<string, string>): boolean => {
  rmSync(mark, { force: true });
  try {
    outputOf('/bin/bash', ['-c', command], { cwd: work, env: made, stdio: 'ignore' });
  } catch {
    // A command that fails is fine: what counts is the mark.
  }
  return existsSync(mark);
};
const git = (...args: string[]) => outputOf('git', args, { cwd: work, env: env({}, false), stdio: 'ignore' });

test("git's monitor, hooks and pager are off, and bare repositories count only where they are named", () => {
  git('init', '-q');
  writeFileSync(join(work, 'a'), '1');
  git('add', 'a');
  for (const [key, value] of [
    ['core.fsmonitor', evil],
    ['core.hooksPath', work],
  ] as const) {
    git('config', key, value);
    writeFileSync(join(work, 'post-index-change'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const touched = 'touch -d "2001-01-01" a; git status';
    assert.ok(ran(touched, env({}, false)), `control: ${key}`);
    assert.not.ok(ran('touch -d "2002-01-01" a; git status', env({}, true)), key);
    git('config', '--unset', key);
  }
  const bare = join(work, 'bare');
  for (const name of ['objects', 'refs']) mkdirSync(join(bare, name), { recursive: true });
  writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(bare, 'config'), `[core]\nworktree=${work}\nbare=false\n[alias]\nx = "!touch ${mark}"\n`);
  assert.ok(ran('cd bare && git x', env({}, false)), 'control: bare');
  assert.not.ok(ran('cd bare && git x', env({}, true)), 'bare');
});

test('settings of git that the launcher has stay, with ours after them', () => {
  const made = env({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'A' }, true);
  const said = outputOf('git', ['config', '--get-regexp', '^(user.name|core.fsmonitor)$'], {
    cwd: work,
    env: made,
  });
  assert.is(String(said), 'user.name A\ncore.fsmonitor false\n');
});

test('a program or a start file in the folder is not found', () => {
  mkdirSync(join(work, 'bin'));
  writeFileSync(join(work, 'bin', 'ls'), `#!/bin/sh\nexec ${evil}\n`, { mode: 0o755 });
  writeFileSync(join(work, 'start.sh'), evil);
  const paths = { PATH: `bin:${join(work, 'bin')}:${HOME.PATH}` };
  const starts = { BASH_ENV: join(work, 'start.sh') };
  assert.ok(ran('ls', env(paths, false)), 'control: PATH');
  assert.not.ok(ran('ls', env(paths, true)));
  assert.ok(ran('true', env(starts, false)), 'control: BASH_ENV');
  assert.not.ok(ran('true', env(starts, true)));
  assert.is(env({ RIPGREP_CONFIG_PATH: '.ripgreprc' }, true)['RIPGREP_CONFIG_PATH'], undefined);
  assert.is(env({ RIPGREP_CONFIG_PATH: '/etc/rg' }, true)['RIPGREP_CONFIG_PATH'], '/etc/rg');
  assert.is(env({ NODE_OPTIONS: '--require ./x.js' }, true)['NODE_OPTIONS'], undefined);
  assert.is(env({ NODE_OPTIONS: '--max-old-space-size=4096' }, true)['NODE_OPTIONS'], '--max-old-space-size=4096');
  assert.is(env({}, true, { BASH_ENV: './mine.sh' })['BASH_ENV'], './mine.sh');
});

test('the real folder is PWD, and what tells of the place of the launcher is left out', () => {
  const ambient = Object.fromEntries(LOCATION_NAMES.map((name) => [name.replace(/\*$/, 'X'), 'launcher']));
  const made = env({ ...ambient, PWD: '/launcher', GIT_AUTHOR_NAME: 'A' }, false);
  assert.is(made['PWD'], work);
  assert.equal(
    Object.keys(ambient).filter((name) => made[name] === 'launcher'),
    [],
  );
  assert.is(made['GIT_AUTHOR_NAME'], 'A');
  assert.is(env({ GIT_DIR: '/a/.git' }, false, { GIT_DIR: '/b/.git' })['GIT_DIR'], '/b/.git');
});

test('every variable that git binds to a repository is on the list', () => {
  const local = outputOf('git', ['rev-parse', '--local-env-vars'], { env: env({}, false) }).trim();
  const missing = local.split('\n').filter((name) => !LOCATION_NAMES.includes(name));
  assert.equal(missing, ['GIT_CONFIG_COUNT']);
});

test('docs/security.md has the same table', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  for (const [what, names] of Object.entries(LOCATION)) {
    assert.ok(page.includes(`| ${what} | ${names.map((name) => `\`${name}\``).join(', ')} |`), what);
  }
});

test.run();
