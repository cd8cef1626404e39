// limit: 180s
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { landWorkspace } from '../../src/workspace/land.js';
import { takePatch } from '../../src/workspace/patch.js';
import { allRecords, placesOf, readRecord } from '../../src/workspace/paths.js';
import { removeFiles } from '../../src/workspace/remove.js';
import { type User, withUser } from './lay-out.js';
import { fails, make } from './made.js';

/** What an agent does in its copy: write, delete, commit, and everything that would reach the user through a shared repository. */
function work(one: User, tree: string): void {
  writeFileSync(join(tree, 'src/a.txt'), 'ONE\ntwo\nthree\nnot committed\n');
  writeFileSync(join(tree, 'made.txt'), 'made\n');
  rmSync(join(tree, 'src/b.txt'));
  one.gitIn(tree, 'add', '-A');
  one.gitIn(tree, 'commit', '--quiet', '-m', 'by the agent');
  writeFileSync(join(tree, 'later.txt'), 'not committed by the agent\n');
}

for (const isolation of ['clone', 'worktree'] as const) {
  test(`${isolation}: a copy holds what is there, committed or not, and gives its change back as a patch`, () =>
    withUser(async (one) => {
      const before = one.fingerprint();
      const { record, cwd } = await make(one, { isolation });
      assert.is(readFileSync(join(cwd, 'src/a.txt'), 'utf8'), one.read('src/a.txt'));
      assert.is(readFileSync(join(cwd, 'new.txt'), 'utf8'), 'untracked\n');
      work(one, cwd);
      const patch = await takePatch(record, one.env, 2);
      assert.equal(
        patch?.files.map(({ path, status, added, removed }) => [path, status, added, removed]),
        [
          ['later.txt', 'added', 1, 0],
          ['made.txt', 'added', 1, 0],
          ['src/a.txt', 'modified', 1, 1],
          ['src/b.txt', 'deleted', 0, 2],
        ],
      );
      assert.match(readFileSync(patch?.path ?? '', 'utf8'), '+ONE');
      assert.is(statSync(patch?.path ?? '').mode & 0o777, 0o600);
      await removeFiles(record, one.env, 3);
      assert.equal(one.fingerprint(), before);
      assert.not.ok(existsSync(cwd));
    }));
}

test('a turn that changed nothing has no patch', () =>
  withUser(async (one) => {
    const { record } = await make(one);
    assert.is(await takePatch(record, one.env, 2), null);
    await fails('state', landWorkspace(record, { form: 'apply', env: one.env, now: 3 }));
  }));

test('the user stays untouched by refs, stash, configuration, hooks and a deleted .git of the copy', () =>
  withUser(async (one) => {
    one.write('src/b.txt', 'b\nmore\nstashed\n');
    one.git('stash', 'push', '--quiet', 'src/b.txt');
    const before = one.fingerprint();
    const { record, cwd } = await make(one);
    work(one, cwd);
    one.gitIn(cwd, 'update-ref', 'refs/heads/main', 'HEAD');
    one.gitIn(cwd, 'config', 'core.sshCommand', 'touch /tmp/never');
    one.gitIn(cwd, 'config', 'core.fsmonitor', join(one.root, 'evil'));
    writeFileSync(join(cwd, 'later.txt'), 'stash me\n');
    one.gitIn(cwd, 'stash', 'push', '--quiet', '--include-untracked');
    writeFileSync(join(one.root, 'evil'), `#!/bin/sh\ntouch ${join(one.root, 'ran')}\n`);
    chmodSync(join(one.root, 'evil'), 0o755);
    rmSync(join(cwd, '.git'), { recursive: true });
    writeFileSync(join(cwd, '.git'), `gitdir: ${one.root}/nowhere\n`);
    const patch = await takePatch(record, one.env, 2);
    assert.equal(
      patch?.files.map(({ path }) => path),
      ['made.txt', 'src/a.txt', 'src/b.txt'],
    );
    assert.not.ok(existsSync(join(one.root, 'ran')));
    await removeFiles(record, one.env, 3);
    assert.equal(one.fingerprint(), before);
  }));

test('a post-checkout hook and an executable monitor of the repository do not run', () =>
  withUser(async (one) => {
    const hook = join(one.repo, '.git', 'hooks', 'post-checkout');
    mkdirSync(join(one.repo, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(one.root, 'ran')}\n`);
    chmodSync(hook, 0o755);
    one.git('config', 'core.fsmonitor', hook);
    for (const isolation of ['clone', 'worktree'] as const) await make(one, { isolation });
    assert.not.ok(existsSync(join(one.root, 'ran')));
  }));

test('the base outlives a pruning gc of the user', () =>
  withUser(async (one) => {
    const { record, cwd } = await make(one);
    one.git('reset', '--quiet', '--hard', 'HEAD~1');
    one.git('reflog', 'expire', '--expire=now', '--all');
    one.git('gc', '--quiet', '--prune=now');
    writeFileSync(join(cwd, 'made.txt'), 'made\n');
    assert.equal(
      (await takePatch(record, one.env, 2))?.files.map(({ path }) => path),
      ['made.txt'],
    );
  }));

test('repositories that the agent made inside lose their history, never their files', () =>
  withUser(async (one) => {
    const { record, cwd } = await make(one);
    for (const name of ['empty', 'full']) {
      mkdirSync(join(cwd, name));
      one.gitIn(join(cwd, name), 'init', '--quiet');
      writeFileSync(join(cwd, name, 'inside.txt'), 'inside\n');
    }
    one.gitIn(join(cwd, 'full'), 'add', '-A');
    one.gitIn(join(cwd, 'full'), 'commit', '--quiet', '-m', 'x');
    const patch = await takePatch(record, one.env, 2);
    assert.equal(
      patch?.files.map(({ path }) => path),
      ['empty/inside.txt', 'full/inside.txt'],
    );
    assert.equal(patch?.nested, ['empty', 'full']);
  }));

test('a hostile change is refused and named', () =>
  withUser(async (one) => {
    const cases: [string, (cwd: string) => void, string][] = [
      ['a link out', (cwd) => symlinkSync('../../../etc/passwd', join(cwd, 'src/out')), 'src/out'],
      ['an absolute link', (cwd) => symlinkSync('/etc/passwd', join(cwd, 'abs')), 'abs'],
      ['a large file', (cwd) => writeFileSync(join(cwd, 'large'), Buffer.alloc(9 * 1024 * 1024, 7)), 'large'],
      [
        'twins',
        (cwd) => writeFileSync(join(cwd, 'SRC-twin'), 'x') ?? writeFileSync(join(cwd, 'src-twin'), 'y'),
        'SRC-twin',
      ],
    ];
    for (const [name, change, path] of cases) {
      const { record, cwd } = await make(one);
      change(cwd);
      const error = await fails('refused-change', takePatch(record, one.env, 2));
      assert.ok(error.paths.includes(path), `${name}: ${error.message}`);
    }
  }));

test('a turn below the top works at the same place of the copy', () =>
  withUser(async (one) => {
    const { record, cwd } = await make(one, { cwd: join(one.repo, 'src') });
    assert.is(cwd, join(placesOf(record.id, one.env).tree, 'src'));
    assert.ok(existsSync(join(cwd, 'a.txt')));
  }));

test('what git ignores is left out unless a list names it; .env files only on demand', () =>
  withUser(async (one) => {
    one.write('ignored/build.txt', 'built\n');
    one.write('.env', 'SECRET=1\n');
    one.write('.turnoutinclude', 'ignored/\n.env\n');
    const first = await make(one);
    assert.equal(first.record.included, ['ignored/build.txt']);
    assert.not.ok(existsSync(join(first.cwd, '.env')));
    const second = await make(one, { includeSecrets: true });
    assert.is(readFileSync(join(second.cwd, '.env'), 'utf8'), 'SECRET=1\n');
    writeFileSync(join(second.cwd, '.gitignore'), '');
    assert.equal(
      (await takePatch(second.record, one.env, 2))?.files.map(({ path }) => path),
      ['.gitignore'],
    );
  }));

test('a repository without a commit and a bare one are refused with what to do', () =>
  withUser(async (one) => {
    const empty = join(one.root, 'empty');
    mkdirSync(empty);
    one.gitIn(empty, 'init', '--quiet');
    assert.match((await fails('unsupported', make(one, { cwd: empty }))).message, 'no commit yet');
    const bare = join(one.root, 'bare.git');
    mkdirSync(bare);
    one.gitIn(bare, 'init', '--quiet', '--bare');
    await fails('unsupported', make(one, { cwd: bare }));
    assert.equal(await allRecords(one.env), []);
  }));

test('an id that is a path is unknown', async () => {
  for (const id of ['../../etc', 'ws_../x', '', 'ws_0123456789ABCDEF'])
    await fails('not-found', readRecord(id, process.env));
});

test.run();
