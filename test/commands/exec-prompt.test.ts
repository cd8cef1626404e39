import { chmodSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readExec } from '../../src/commands/exec.js';
import { around, bytes, file, folder, read, readBare, refuses } from './reading.js';

test('exactly one prompt is given', async () => {
  await refuses(readBare('--runtime', 'demo'), /^--prompt: give this or --prompt-file$/);
  await refuses(read('--prompt-file', file('p.txt', 'x')), /not both$/);
  await refuses(readBare('--runtime', 'demo', '--prompt', ''), /^--prompt: expected a text that is not empty$/);
  await refuses(readBare('--runtime', 'demo', '--prompt', ' \n'), /^--prompt: expected a text that is not empty$/);
});

test('a prompt file is read as it is, without a byte order mark', async () => {
  const plan = await readBare('--runtime', 'demo', '--prompt-file', file('bom.txt', '\ufeffgrüße\r\nzwei\n'));
  assert.is(plan.request.prompt, 'grüße\r\nzwei\n');
  assert.is(plan.stdinTaken, false);
});

test('a file that can’t be read says why', async () => {
  const bad = (path: string) => readBare('--runtime', 'demo', '--prompt-file', path);
  await refuses(bad('nowhere.txt'), /^--prompt-file: nowhere\.txt: there is no such file$/);
  await refuses(bad('.'), /^--prompt-file: \.: it is a folder$/);
  await refuses(bad(file('empty.txt', '')), /empty\.txt: the file is empty$/);
  await refuses(bad(file('blank.txt', '\n \n')), /blank\.txt: the file is empty$/);
  chmodSync(join(folder, file('secret.txt', 'x')), 0);
  // Root may read every file, so it becomes nobody for a moment.
  const root = process.getuid?.() === 0;
  if (root) process.seteuid?.(65_534);
  try {
    await refuses(bad('secret.txt'), /it may not be read$/);
  } finally {
    if (root) process.seteuid?.(0);
  }
});

test('files have limits', async () => {
  const big = file('big.txt', '');
  truncateSync(join(folder, big), 16 * 1024 * 1024 + 1);
  await refuses(readBare('--runtime', 'demo', '--prompt-file', big), /^--prompt-file: more than 16 MiB$/);
  await refuses(read('--system-file', big), /^--system-file: more than 16 MiB$/);
  truncateSync(join(folder, big), 4 * 1024 * 1024 + 1);
  await refuses(read('--env-file', big), /^--env-file: more than 4 MiB$/);
  await refuses(read('--mcp-config', big), /^--mcp-config: more than 4 MiB$/);
  await refuses(read('--tools', 'stdio', '--tools-file', big), /^--tools-file: more than 4 MiB$/);
});

test('a prompt of exactly the limit is accepted', async () => {
  const path = file('limit.txt', 'x'.repeat(16 * 1024 * 1024));
  assert.is((await readBare('--runtime', 'demo', '--prompt-file', path)).request.prompt.length, 16 * 1024 * 1024);
});

test('- is stdin, read to its end', async () => {
  const argv = ['--runtime', 'demo', '--prompt-file', '-'];
  const plan = await readExec(argv, around({ stdin: () => bytes('hel', 'lo') }));
  assert.is(plan.request.prompt, 'hello');
  assert.is(plan.stdinTaken, true);
  await refuses(readExec(argv, around({ stdin: () => bytes() })), /stdin is empty$/);
  await refuses(readExec(argv, around({ stdin: () => bytes('x'.repeat(16 * 1024 * 1024), 'x') })), /more than 16 MiB$/);
});

test('a character cut by a chunk border survives', async () => {
  const raw = new TextEncoder().encode('ü');
  async function* halves() {
    yield raw.subarray(0, 1);
    yield raw.subarray(1);
  }
  const plan = await readExec(['-r', 'demo', '--prompt-file', '-'], around({ stdin: halves }));
  assert.is(plan.request.prompt, 'ü');
});

test('stdin can’t be the prompt and carry frames', async () => {
  const argv = ['--runtime', 'demo', '--prompt-file', '-'];
  await refuses(readExec([...argv, '--tools', 'stdio'], around()), /--tools stdio both need stdin/);
  await refuses(readExec([...argv, '--approvals', 'stdio'], around()), /--approvals stdio both need stdin/);
});

test('a system file is read', async () => {
  assert.is((await read('--system-file', file('system.txt', 'be kind'))).request.system, 'be kind');
  await refuses(read('--system-file', 'nowhere'), /^--system-file: nowhere: there is no such file$/);
});

test.run();
