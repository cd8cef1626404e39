// limit: 120s

import { execa } from 'execa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('public API');

test('docs/api.txt shows what is exported, and each export has a doc comment of its own', async () => {
  const ended = await execa(process.execPath, ['scripts/api-report.mjs', '--check'], { reject: false });
  assert.is(ended.exitCode, 0, ended.stderr);
});

test.run();
