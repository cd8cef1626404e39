// limit: 400s
/** The Go client's own tests, against the turnout that was just built. */

import { join } from 'node:path';
import { execa } from 'execa';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const { exitCode } = await execa('go', ['version'], { reject: false });

if (exitCode === 0) {
  test('the Go client passes its own tests, and builds for Windows and macOS', async () => {
    const cwd = join(root, 'clients', 'go');
    for (const GOOS of ['windows', 'darwin']) await execa('go', ['vet', '.'], { cwd, env: { GOOS } });
    const env = { TURNOUT: join(root, 'bin', 'turnout.js') };
    const { all, exitCode: code } = await execa('go', ['test', '-count=1', '-v', './...'], {
      cwd,
      env,
      all: true,
      reject: false,
    });
    assert.is(code, 0, all);
    assert.match(all, /--- PASS: TestEveryGoldenStream/);
  });
} else {
  test('SKIPPED: the Go client needs go', () => {});
}

test.run();
