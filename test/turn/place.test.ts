import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isInside, isSteering } from '../../src/turn/place.js';

const test = suite('where a named path lies');
let folder = '';
test.before(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-place-')));
  mkdirSync(join(folder, 'work', '.git', 'hooks'), { recursive: true });
  mkdirSync(join(folder, 'work', 'config', 'objects'), { recursive: true });
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, 'work', 'bare.d', name), { recursive: true });
  writeFileSync(join(folder, 'work', 'bare.d', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'work', '.git', 'config'), '');
  symlinkSync('.git', join(folder, 'work', 'meta'));
  symlinkSync('.git/config', join(folder, 'work', 'plain.txt'));
  symlinkSync(folder, join(folder, 'work', 'up'));
  symlinkSync('nowhere/at-all', join(folder, 'work', 'dangling'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));
const steers = (path: string) => isSteering(path, join(folder, 'work'));

test('git, by its name in any spelling, through links, and in folders that are repositories', () => {
  for (const path of [
    '.git',
    '.git/config',
    '.GIT/config',
    'sub/.git/hooks/pre-commit',
    'x/../.git/config',
    'meta/config',
    'meta/hooks/new/file',
    'plain.txt',
    '.g\u200cit/config',
    '.git./config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    '.git\\config',
    'HEAD',
    'sub/head',
    'bare.d/config',
    'bare.d/hooks/post-checkout',
    '.gitattributes',
    'sub/.gitmodules',
    '.gitconfig',
  ]) {
    assert.ok(steers(path), path);
    assert.ok(steers(join(folder, 'work', path)), path);
  }
});

test('start files, environments, and settings of agent programs', () => {
  for (const path of [
    '.bashrc',
    'home/.zshenv',
    '.ripgreprc',
    '.env',
    '.env.local',
    '.npmrc',
    'bunfig.toml',
    '.mcp.json',
    '.claude/settings.json',
    '.factory/hooks.json',
    '.husky/pre-commit',
    'opencode.json',
  ]) {
    assert.ok(steers(path), path);
  }
});

test('ordinary files', () => {
  for (const path of [
    'a.txt',
    'config',
    'config/app.json',
    'config/objects/x',
    'git/config',
    '.github/workflows/ci.yml',
    '.gitignore',
    'src/head.ts',
    'HEADER',
    '.env.example',
    'package.json',
    'objects/x',
    'refs/y',
  ]) {
    assert.not.ok(steers(path), path);
  }
});

test('inside means where it really lies', () => {
  const work = join(folder, 'work');
  assert.ok(isInside('new/file', work));
  assert.ok(isInside('meta/config', work));
  assert.not.ok(isInside('up/file', work));
  assert.not.ok(isInside('dangling', work));
  assert.not.ok(isInside('../x', work));
});

test.run();
