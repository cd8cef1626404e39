// limit: 120s

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { hasTmux, screen } from '../terminal/tmux.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-compare-'));
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  XDG_STATE_HOME: join(home, 'state'),
  LANG: 'C.UTF-8',
  TURNOUT_CONFINE: 'none',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
let count = 0;

/** A repository with one commit. */
function repository(): string {
  const folder = join(home, `app${count++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.txt'), 'old\n');
  const git = (...args: string[]) =>
    runProgram('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder, env });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  return folder;
}

const compare = (cwd: string, ...args: string[]) =>
  runProgram(process.execPath, [TURNOUT, 'compare', ...args], { cwd, env });

test('each works in a copy of its own; the table has all, and nothing is landed without a word', () => {
  const cwd = repository();
  const ran = compare(
    cwd,
    '-r',
    'demo,goose,demo',
    '--check',
    'grep -q new notes.txt',
    'write notes.txt new then say done',
  );
  assert.is(ran.status, 0, ran.stderr);
  assert.match(ran.stdout, /^1 demo · ok · \d+\.\ds · \d+ in, \d+ out · /m);
  assert.match(ran.stdout, /^done\n {2}notes\.txt {2}\+1 -1$/m);
  assert.match(ran.stdout, /^2 goose · unsupported · /m);
  assert.match(ran.stdout, /^# +RUNTIME +RESULT +TIME +TOKENS +COST +FILES +LINES +CHECK$/m);
  assert.match(ran.stdout, /^1 +demo +ok +\S+ +\d+ +\S.* +1 +\+1 -1 +ok$/m);
  assert.match(ran.stdout, /^2 +goose +unsupported +\S+ +- +unknown +- +- +-$/m);
  assert.match(ran.stdout, /^Changed by several: notes\.txt \(1, 3\)$/m);
  assert.is(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'old\n');
});

test('--pick lands one, --json says all in one object', () => {
  const cwd = repository();
  const ran = compare(cwd, '-r', 'demo,demo', '--pick', '2', '--json', 'write notes.txt new');
  assert.is(ran.status, 0, ran.stderr);
  const whole = JSON.parse(ran.stdout);
  assert.is(whole.picked, 2);
  assert.is(whole.landed, true);
  assert.is(whole.prompt, 'write notes.txt new');
  const [one, two] = whole.results;
  assert.equal([one.n, one.status, one.diff.added, two.diff.removed], [1, 'ok', 1, 1]);
  assert.ok(existsSync(one.diff.patch_path));
  assert.is.not(one.workspace, two.workspace);
  assert.match(readFileSync(join(cwd, 'notes.txt'), 'utf8'), /^new/);
});

test('--stream prints the events of all with their numbers', () => {
  const ran = compare(repository(), '-r', 'demo,demo', '--stream', 'say hello');
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(new Set(events.map(({ n }) => n)), new Set([1, 2]));
  assert.is(events.filter(({ type }) => type === 'done').length, 2);
});

test('when none answers the exit code is 1', () => {
  const ran = compare(repository(), '-r', 'demo,goose', 'quota');
  assert.is(ran.status, 1);
});

test('what cannot work is refused before anything begins', () => {
  const cwd = repository();
  const refused = (args: string[], why: RegExp, where = cwd) => {
    const ran = compare(where, ...args);
    assert.is(ran.status, 2, ran.stdout);
    assert.match(ran.stderr, why);
  };
  refused(['-r', 'demo', 'hi'], /two or more runtimes/);
  refused(['-r', 'demo,cluade', 'hi'], /unknown runtime "cluade"; did you mean claude\?/);
  refused(['-r', 'demo,demo', '--pick', '3', 'hi'], /--pick: expected none or a number from 1 to 2/);
  refused(['-r', 'demo,demo', '--quiet', 'hi'], /unknown flag --quiet/);
  const plain = join(home, 'plain');
  mkdirSync(plain);
  refused(['-r', 'demo,demo', 'hi'], /not in a git repository/, plain);
  assert.is(compare(plain, '-r', 'demo,demo', '--access', 'read', 'say hello').status, 0);
});

(hasTmux ? test : test.skip)('at a terminal the person looks at a diff and picks one', async () => {
  const cwd = repository();
  const on = screen(`${process.execPath} ${resolve(TURNOUT)} compare -r demo,demo 'write notes.txt new'`, { env, cwd });
  try {
    await on.until(/Land one\? 1, 2/);
    on.type('d1\n');
    await on.until(/\+new[\s\S]*Land one\?/);
    on.type('1\n');
    await on.until(/changed notes\.txt[\s\S]*\[exit 0\]/);
    assert.match(readFileSync(join(cwd, 'notes.txt'), 'utf8'), /^new/);
  } finally {
    on.close();
  }
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
