// limit: 120s
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Workspace } from '../../src/workspace/create.js';
import { type LandForm, landWorkspace } from '../../src/workspace/land.js';
import { takePatch } from '../../src/workspace/patch.js';
import { placesOf, readRecord } from '../../src/workspace/paths.js';
import { cleanWorkspaces, KEPT_FOR, removeFiles } from '../../src/workspace/remove.js';
import { type User, withUser } from './lay-out.js';
import { fails, make } from './made.js';

async function changed(one: User, cwd = one.repo): Promise<Workspace> {
  const made = await make(one, { cwd });
  writeFileSync(join(made.cwd, cwd === one.repo ? 'src/a.txt' : 'a.txt'), 'ONE\ntwo\nthree\nnot committed\n');
  writeFileSync(join(made.cwd, 'made.txt'), 'made\n');
  await takePatch(made.record, one.env, 2);
  return made;
}
const land = (made: Workspace, one: User, form: LandForm = 'apply') =>
  landWorkspace(made.record, { form, env: one.env, now: 3, message: 'Make it', trailers: ['Agent-Run: run_1'] });

test('landing merges with what the user did meanwhile, and stages nothing', () =>
  withUser(async (one) => {
    const made = await changed(one);
    one.write('src/b.txt', 'b\nmore\nmine\n');
    one.write('src/a.txt', 'one\ntwo\nthree\nnot committed\nmine too\n');
    const staged = one.git('diff', '--cached', '--name-only');
    assert.equal((await land(made, one)).files, ['made.txt', 'src/a.txt']);
    assert.is(one.read('src/a.txt'), 'ONE\ntwo\nthree\nnot committed\nmine too\n');
    assert.is(one.read('src/b.txt'), 'b\nmore\nmine\n');
    assert.is(one.read('made.txt'), 'made\n');
    assert.is(one.git('diff', '--cached', '--name-only'), staged);
    assert.is((await readRecord(made.record.id, one.env)).state, 'landed');
    await fails('state', land(made, one));
  }));

test('a conflict touches nothing and names the files', () =>
  withUser(async (one) => {
    const made = await changed(one);
    one.write('src/a.txt', 'mine\ntwo\nthree\nnot committed\n');
    const before = one.fingerprint();
    assert.equal((await fails('conflict', land(made, one))).paths, ['src/a.txt']);
    assert.equal(one.fingerprint(), before);
    assert.is((await readRecord(made.record.id, one.env)).state, 'kept');
  }));

test('a file in the way that git ignores is not overwritten', () =>
  withUser(async (one) => {
    one.write('.gitignore', 'ignored/\n.env\nmade.txt\n');
    one.git('commit', '--quiet', '-am', 'ignore made.txt');
    const made = await make(one);
    writeFileSync(join(made.cwd, '.gitignore'), 'ignored/\n');
    writeFileSync(join(made.cwd, 'made.txt'), 'made\n');
    await takePatch(made.record, one.env, 2);
    one.write('made.txt', 'mine\n');
    const before = one.fingerprint();
    assert.equal((await fails('conflict', land(made, one))).paths, ['made.txt']);
    assert.equal(one.fingerprint(), before);
  }));

test('landing as a branch adds one ref with one commit and nothing else', () =>
  withUser(async (one) => {
    const made = await changed(one);
    const { refs: _, ...before } = one.fingerprint();
    const { made: branch } = await land(made, one, 'branch');
    const { refs: __, ...after } = one.fingerprint();
    assert.equal(after, before);
    assert.match(one.git('log', '-1', '--format=%B', branch ?? ''), /^Make it\n\nAgent-Run: run_1/);
    assert.match(one.git('show', '--stat', branch ?? ''), 'made.txt');
  }));

test('landing as a commit needs a clean tree', () =>
  withUser(async (one) => {
    const dirty = await changed(one);
    await fails('state', land(dirty, one, 'commit'));
    one.git('add', '-A');
    one.git('commit', '--quiet', '-m', 'all of it');
    const made = await changed(one);
    await land(made, one, 'commit');
    assert.match(one.git('log', '-1', '--format=%B'), /^Make it\n\nAgent-Run: run_1/);
    assert.is(one.git('status', '--porcelain'), '');
  }));

test('a folder without git is copied, and its change lands by the same rules', () =>
  withUser(async (one) => {
    const folder = join(one.root, 'plain');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\nnot committed\n');
    const made = await changed(one, folder);
    assert.not.ok(existsSync(join(folder, '.git')));
    await land(made, one);
    assert.is(readFileSync(join(folder, 'a.txt'), 'utf8'), 'ONE\ntwo\nthree\nnot committed\n');
    assert.is(readFileSync(join(folder, 'made.txt'), 'utf8'), 'made\n');
    assert.not.ok(existsSync(join(folder, '.git')));
  }));

test('clean removes landed copies and old ones, and leaves a folder that took the place of ours', () =>
  withUser(async (one) => {
    const landed = await changed(one);
    await land(landed, one);
    const young = await changed(one);
    const old = await changed(one);
    const swapped = await changed(one);
    const places = placesOf(swapped.record.id, one.env);
    renameSync(places.tree, join(one.root, 'elsewhere'));
    mkdirSync(places.tree);
    writeFileSync(join(places.tree, 'mine.txt'), 'mine\n');
    await fails('state', removeFiles(swapped.record, one.env, 4));
    assert.ok(existsSync(join(places.tree, 'mine.txt')));
    rmSync(places.dir, { recursive: true });
    const all = { env: one.env, now: 3 + KEPT_FOR, busy: new Set([young.record.id]) };
    const names = (records: { id: string }[]) => records.map(({ id }) => id).sort();
    assert.equal(names(await cleanWorkspaces({ ...all, dryRun: true })), names([landed.record, old.record]));
    assert.ok(existsSync(old.cwd));
    await cleanWorkspaces({ ...all, dryRun: false });
    assert.not.ok(existsSync(old.cwd));
    assert.ok(existsSync(young.cwd));
  }));

test.run();
