import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';

const page = join(process.env['TURNOUT_ROOT'] ?? '.', 'dist', 'man', 'turnout.1');

test('the manual has every command and its flags', () => {
  const text = readFileSync(page, 'utf8');
  for (const words of ['turnout run', 'turnout chat', 'turnout compare', 'turnout agent exec', 'turnout config set']) {
    assert.ok(text.includes(`.SS \\fB${words}\\fR`), words);
  }
  assert.match(text, /\\fB\\-\\-wait\\-for\\-quota\\fR/);
  assert.not(text.includes('<%='));
});

test('man reads it without complaint', () => {
  if (runProgram('groff', ['--version']).error) return console.log('SKIPPED: groff is not here to read the manual');
  assert.ok(existsSync(page));
  const read = runProgram('groff', ['-man', '-Tutf8', '-ww', page]);
  assert.is(read.status, 0);
  assert.is(read.stderr, '');
  assert.match(read.stdout, /turnout chat/);
});

test.run();
