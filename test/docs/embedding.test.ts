// limit: 120s

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { served, TOKEN } from '../client/served.js';
import { runProgram } from '../run-program.js';
import { root } from './documents.js';

const text = readFileSync(join(root, 'docs', 'embedding.md'), 'utf8');
const blocks = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((found) => found[1] ?? '');
const folder = mkdtempSync(join(tmpdir(), 'embedding-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules', 'turnout'), 'junction');
symlinkSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'), 'junction');

const { url, stop } = await served(folder);

test('there are blocks', () => assert.ok(blocks.length >= 4));

for (const [index, block] of blocks.entries()) {
  test(`block ${index + 1} of docs/embedding.md runs`, () => {
    const file = join(folder, `block-${index}.mjs`);
    writeFileSync(file, block.replace('http://127.0.0.1:9090', url).replace('s3cret', TOKEN));
    const ran = runProgram(process.execPath, [file], {
      cwd: folder,
      timeout: 30_000,
      env: { PATH: process.env['PATH'], HOME: folder, TURNOUT_BIN: join(root, 'bin', 'turnout.js') },
    });
    assert.is(ran.status, 0, `${block}\n${ran.stdout}\n${ran.stderr}`);
    // What a comment promises is what is printed.
    for (const [, promised] of block.matchAll(/console\.log\([^\n]*\); \/\/ (.+)$/gm))
      assert.match(ran.stdout, promised ?? '');
  });
}

test.after(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});
test.run();
