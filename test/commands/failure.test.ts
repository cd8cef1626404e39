import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';

test('a crash is told with its place and without keys', () => {
  const source = `
    import { crash } from './src/commands/failure.js';
    await crash(new Error('lost sk-ant-api03-abcdefgh12345678 and ' + process.env.SAMPLE_TOKEN));
  `;
  const outfile = join(root, '.build', 'test', 'commands', `crash-${process.pid}.mjs`);
  buildSync({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  const ran = runProgram(process.execPath, [outfile], {
    env: { ...process.env, SAMPLE_TOKEN: 'plain value of a key' },
  });
  assert.is(ran.status, 1);
  assert.is(ran.stdout, '');
  assert.match(ran.stderr, /^turnout: Error: lost \[redacted\] and \[redacted\]\n +at /);
});

test.run();
