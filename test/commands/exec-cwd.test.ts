import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { file, folder, read, refuses } from './reading.js';

test('a relative folder becomes absolute', async () => {
  assert.is((await read('--cwd', '.')).request.cwd, folder);
});

test('a missing folder or a file is a usage error', async () => {
  await refuses(read('--cwd', 'nowhere'), /nowhere: there is no such folder$/);
  await refuses(read('--cwd', file('a-file', 'x')), /a-file: it is not a folder$/);
  await refuses(read('--cwd', 'a-file/below'), /there is no such folder$/);
  await refuses(read('--cwd', ''), /^--cwd: expected a text that is not empty$/);
});

test('with full access it is a refusal on the stream', async () => {
  const plan = await read('--access', 'full', '--cwd', 'nowhere');
  assert.is(plan.refuse?.code, 'unsafe');
  assert.match(plan.refuse?.message ?? '', /nowhere: there is no such folder$/);
  assert.is((await read('--access', 'full')).refuse, undefined);
});

test.run();
