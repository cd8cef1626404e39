import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFolder } from '../../src/process/make-folder.js';

const test = suite('folders on the way to a file');
const folder = mkdtempSync(join(tmpdir(), 'turnout-folder-'));

test.after(() => rmSync(folder, { recursive: true, force: true }));

test('missing folders are made with the mode, and one that exists is left alone', () => {
  const path = join(folder, 'a', 'b');
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  assert.is(statSync(path).isDirectory(), true);
  if (process.platform !== 'win32') assert.is(statSync(path).mode & 0o777, 0o700);
});

test('a file in the way is an error', () => {
  writeFileSync(join(folder, 'file'), '');
  assert.throws(() => makeFolder(join(folder, 'file', 'below')), /ENOTDIR|ENOENT|EEXIST/);
});

test('a file system that takes no folders is an error, not a wait without end', () => {
  if (process.platform !== 'linux') return;
  assert.throws(() => makeFolder('/proc/none'), /ENOENT|EPERM|EACCES|EROFS/);
});

test.run();
