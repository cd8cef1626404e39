// limit: 120s
/** What others' worktrees have stumbled over. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { landWorkspace } from '../../src/workspace/land.js';
import { takePatch } from '../../src/workspace/patch.js';
import { placesOf } from '../../src/workspace/paths.js';
import { removeFiles } from '../../src/workspace/remove.js';
import { withUser } from './lay-out.js';
import { fails, make } from './made.js';

test('a checked-out submodule is refused by name; one without files is no obstacle', () =>
  withUser(async (one) => {
    const inner = join(one.root, 'inner');
    mkdirSync(inner);
    one.gitIn(inner, 'init', '--quiet');
    writeFileSync(join(inner, 'file'), 'x\n');
    one.gitIn(inner, 'add', '-A');
    one.gitIn(inner, 'commit', '--quiet', '-m', 'inner');
    one.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'deps/inner');
    one.git('commit', '--quiet', '-m', 'with a submodule');
    const error = await fails('unsupported', make(one, { isolation: 'clone' }));
    assert.match(error.message, /deps\/inner.*--isolate none/);
    one.git('submodule', '--quiet', 'deinit', '--force', 'deps/inner');
    const { cwd } = await make(one, { isolation: 'clone' });
    assert.ok(existsSync(join(cwd, '.gitmodules')));
  }));

test('a worktree whose folder was deleted by hand neither blocks the next one nor its own removal', () =>
  withUser(async (one) => {
    const { record } = await make(one, { isolation: 'worktree' });
    rmSync(placesOf(record.id, one.env).tree, { recursive: true });
    const next = await make(one, { isolation: 'worktree' });
    assert.ok(existsSync(next.cwd));
    await removeFiles(record, one.env, 3);
    await removeFiles(next.record, one.env, 3);
    assert.is(one.git('worktree', 'list').trim().split('\n').length, 1);
  }));

test('no branch is held by a copy: the user deletes, renames and checks out as before', () =>
  withUser(async (one) => {
    one.git('branch', 'topic');
    await make(one, { isolation: 'worktree' });
    one.git('branch', '--move', 'topic', 'renamed');
    one.git('stash', '--include-untracked', '--quiet');
    one.git('checkout', '--quiet', 'renamed');
    one.git('checkout', '--quiet', 'main');
    one.git('branch', '--delete', 'renamed');
  }));

test('a lock on the index of the user keeps neither a copy nor a landing back, and stays', () =>
  withUser(async (one) => {
    const lock = join(one.repo, '.git', 'index.lock');
    writeFileSync(lock, 'held by a commit in an editor');
    const { record, cwd } = await make(one, { isolation: 'clone' });
    writeFileSync(join(cwd, 'made.txt'), 'made\n');
    await takePatch(record, one.env, 2);
    await landWorkspace(record, { form: 'apply', env: one.env, now: 3, message: 'Make it', trailers: [] });
    assert.is(one.read('made.txt'), 'made\n');
    assert.is(readFileSync(lock, 'utf8'), 'held by a commit in an editor');
  }));

test('only what stands in the record of a copy is removed, never what looks like one', () =>
  withUser(async (one) => {
    const { record } = await make(one, { isolation: 'clone' });
    const { dir } = placesOf(record.id, one.env);
    const lookalike = `${dir}-mine`;
    mkdirSync(lookalike);
    writeFileSync(join(lookalike, 'work'), 'hours of it');
    await removeFiles(record, one.env, 3);
    assert.not(existsSync(placesOf(record.id, one.env).tree));
    assert.is(readFileSync(join(lookalike, 'work'), 'utf8'), 'hours of it');
  }));

test.run();
