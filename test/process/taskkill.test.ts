import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { taskkill } from '../../src/process/taskkill.js';
import { scratch } from '../contract/scratch.js';

const test = suite('taskkill');

/** Puts a stand-in on PATH that notes its arguments and exits with a code. */
async function withStandIn(code: number, run: () => Promise<{ survivors: number[] }>) {
  const folder = scratch('taskkill');
  const file = join(folder, 'taskkill');
  writeFileSync(file, `#!/bin/sh\nprintf '%s ' "$@" >"${folder}/args"\nexit ${code}\n`);
  chmodSync(file, 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}${delimiter}${before}`;
  try {
    return { ...(await run()), args: readFileSync(join(folder, 'args'), 'utf8').trim() };
  } finally {
    process.env['PATH'] = before;
  }
}

test('ends the whole tree by force', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: the stand-in is a shell script');
  assert.equal(await withStandIn(0, () => taskkill(42)), { survivors: [], args: '/T /F /PID 42' });
});

test('a process that is gone is no survivor, any other failure leaves one', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: the stand-in is a shell script');
  assert.equal((await withStandIn(128, () => taskkill(42))).survivors, []);
  assert.equal((await withStandIn(1, () => taskkill(42))).survivors, [42]);
});

test('a system without taskkill names the process', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: it is there');
  assert.equal((await taskkill(42)).survivors, [42]);
});

test.run();
