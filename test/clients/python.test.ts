// limit: 400s
/** The Python client's own tests, against the turnout that was just built. */

import { join } from 'node:path';
import { execa } from 'execa';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const folder = join(root, 'clients', 'python');
const VERSION = 'import sys; sys.exit(sys.version_info < (3, 11))';
const { exitCode } = await execa('python3', ['-c', VERSION], { reject: false });

if (exitCode === 0) {
  test('the Python client passes its own tests', async () => {
    const { all, exitCode: code } = await execa('python3', ['-m', 'unittest'], {
      cwd: folder,
      env: { PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1', TURNOUT: join(root, 'bin', 'turnout.js') },
      all: true,
      reject: false,
    });
    assert.is(code, 0, all);
    assert.match(all, /Ran [1-9]\d+ tests/);
  });
} else {
  test('SKIPPED: the Python client needs python3, 3.11 or newer', () => {});
}

test.run();
