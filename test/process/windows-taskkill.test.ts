import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { taskkill } from '../../src/process/windows/taskkill.js';
import { scratch } from '../contract/scratch.js';

const test = suite('taskkill');

/** A stand-in that notes its arguments and exits with a code. */
async function withStandIn(code: number, run: (program: string) => Promise<{ survivors: number[] }>) {
  const folder = scratch('taskkill');
  const program = join(folder, 'taskkill');
  writeFileSync(program, `#!/bin/sh\nprintf '%s ' "$@" >"${folder}/args"\nexit ${code}\n`);
  chmodSync(program, 0o755);
  return { ...(await run(program)), args: readFileSync(join(folder, 'args'), 'utf8').trim() };
}

test('ends the whole tree by force', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: the stand-in is a shell script');
  assert.equal(await withStandIn(0, (program) => taskkill(42, { program })), { survivors: [], args: '/T /F /PID 42' });
});

test('a process that is gone is no survivor, any other failure leaves one', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: the stand-in is a shell script');
  assert.equal((await withStandIn(128, (program) => taskkill(42, { program }))).survivors, []);
  assert.equal((await withStandIn(1, (program) => taskkill(42, { program }))).survivors, [42]);
});

test('a taskkill on PATH is never started', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: the stand-in is a shell script');
  const { args } = await withStandIn(0, async (program) => {
    writeFileSync(join(dirname(program), 'args'), 'not started');
    const before = process.env['PATH'];
    process.env['PATH'] = `${dirname(program)}${delimiter}${before}`;
    try {
      return await taskkill(42);
    } finally {
      process.env['PATH'] = before;
    }
  });
  assert.is(args, 'not started');
});

test('a system without taskkill names the process', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: it is there');
  assert.equal((await taskkill(42)).survivors, [42]);
});

test.run();
