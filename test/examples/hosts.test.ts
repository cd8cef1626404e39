import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = process.env['TURNOUT_ROOT'] ?? '.';
const home = mkdtempSync(join(tmpdir(), 'turnout-examples-'));
const run = (program: string, file: string, ...args: string[]) =>
  spawnSync(program, [join(root, 'examples', file), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, TURNOUT: `${process.execPath} ${join(root, 'bin', 'turnout.js')}` },
  });

for (const [program, file] of [
  [process.execPath, 'host.mjs'],
  ['python3', 'host.py'],
] as const) {
  if (spawnSync(program, ['--version']).error) {
    console.log(`SKIPPED: ${file}, since ${program} is not here`);
    continue;
  }
  test(`${file} runs a tool for the agent`, () => {
    const ran = run(program, file, 'demo', 'tool add {"a":2,"b":3}');
    assert.is(ran.stdout.trim(), 'add answered: 5');
    assert.is(ran.status, 0);
  });
  test(`${file} tells the agent about its own failure, and ends with the exit code of the turn`, () => {
    assert.match(run(program, file, 'demo', 'tool add {"a":2,"b":{}}').stdout, 'ERROR: invalid arguments');
    const failed = run(program, file, 'demo', 'auth');
    assert.is(failed.status, 1);
    assert.match(failed.stderr, 'auth: ');
  });
}

test.after(() => rmSync(home, { recursive: true }));
test.run();
