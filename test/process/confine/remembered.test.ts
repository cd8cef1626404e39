import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findBwrap } from '../../../src/process/confine/bwrap.js';
import { forget, remember, remembered } from '../../../src/process/confine/remembered.js';

const test = suite('what is remembered of the confinement');

let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnout-remembered-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ XDG_STATE_HOME: join(folder, 'state') });
const file = () => join(folder, 'state', 'turnout', 'confinement.json');

/** A program that may stand for bubblewrap. */
function binary(name = 'bwrap') {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  const found = findBwrap([path]);
  if (!found) throw new Error('it was not found');
  return found;
}

if (process.platform === 'linux') {
  test('a success counts for the next process, in a file that only its owner reads', () => {
    const bwrap = binary();
    assert.not(remembered(bwrap, false, env()));
    remember(bwrap, false, env());
    assert.ok(remembered(bwrap, false, env()));
    assert.is(statSync(file()).mode & 0o777, 0o600);
  });

  test('programs that build a sandbox of their own are another question', () => {
    const bwrap = binary();
    remember(bwrap, false, env());
    assert.not(remembered(bwrap, true, env()));
    remember(bwrap, true, env());
    assert.ok(remembered(bwrap, false, env()) && remembered(bwrap, true, env()));
  });

  test('another binary, another boot or a broken file count for nothing', () => {
    const bwrap = binary();
    remember(bwrap, false, env());
    assert.not(remembered({ ...bwrap, inode: bwrap.inode + 1 }, false, env()));
    assert.not(remembered({ ...bwrap, mtimeMs: bwrap.mtimeMs + 1 }, false, env()));
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(boot, 'an-earlier-boot'));
    assert.not(remembered(bwrap, false, env()));
    remember(bwrap, false, env());
    assert.not(readFileSync(file(), 'utf8').includes('an-earlier-boot'), 'what an earlier boot left is gone');
    writeFileSync(file(), '{"not": "ours"');
    assert.not(remembered(bwrap, false, env()));
  });

  test('walls that could not be built are forgotten', () => {
    const bwrap = binary();
    remember(bwrap, false, env());
    forget(env());
    assert.not(existsSync(file()));
    assert.not(remembered(bwrap, false, env()));
  });

  test('a state folder that can not be written costs nothing but the try', () => {
    writeFileSync(join(folder, 'state'), '');
    const bwrap = binary();
    remember(bwrap, false, env());
    assert.not(remembered(bwrap, false, env()));
    forget(env());
  });
}

test('without /proc nothing is remembered, and nothing fails', () => {
  if (process.platform !== 'linux') remember(binary(), false, env());
  assert.not(remembered(binary('other'), false, env()));
});

test.run();
