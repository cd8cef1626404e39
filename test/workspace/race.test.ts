// limit: 180s
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { WorkspaceError } from '../../src/workspace/failure.js';
import { landWorkspace } from '../../src/workspace/land.js';
import { takePatch } from '../../src/workspace/patch.js';
import { type User, withUser } from './lay-out.js';
import { make } from './made.js';

const FILES = Array.from({ length: 150 }, (_, at) => `src/many/${at}.txt`);
const ROUNDS = 16;
const text = (first: string): string => `${first}\n${'line\n'.repeat(40)}`;

/** Appends one line to a file after so many milliseconds, or saves it whole as editors do: a new file in the place of the old. */
const EDITOR = `
const fs = require('node:fs');
const [file, after, how] = process.argv.slice(1);
process.stdout.write('ready\\n');
const until = performance.now() + Number(after);
while (performance.now() < until);
if (how === 'append') fs.appendFileSync(file, 'the edit\\n');
else {
  fs.writeFileSync(file + '~', fs.readFileSync(file, 'utf8') + 'the edit\\n');
  fs.renameSync(file + '~', file);
}
`;

async function land(one: User, during: () => Promise<() => Promise<void>>): Promise<{ landed: boolean; ms: number }> {
  for (const name of FILES) one.write(name, text('top'));
  one.git('add', '-A');
  one.git('commit', '--quiet', '-m', 'many');
  const made = await make(one);
  for (const name of FILES) writeFileSync(join(made.cwd, name), text('TOP'));
  await takePatch(made.record, one.env, 2);
  const edited = await during();
  const began = performance.now();
  const failed = await landWorkspace(made.record, { form: 'apply', env: one.env, now: 3 }).then(
    () => null,
    (error: unknown) => error,
  );
  const ms = performance.now() - began;
  await edited();
  if (failed !== null) {
    assert.ok(failed instanceof WorkspaceError, String(failed));
    assert.ok(['conflict', 'changed-meanwhile'].includes(failed.reason), failed.message);
  }
  return { landed: failed === null, ms };
}

test('an edit that is saved while a change lands is never lost, and a landing is whole or has not happened', async () => {
  let whole = 0;
  await withUser(async (one) => {
    whole = (await land(one, async () => async () => {})).ms;
  });
  for (let round = 0; round < ROUNDS; round++) {
    await withUser(async (one) => {
      const name = FILES[(round * 37) % FILES.length] ?? '';
      const after = ((round + 1) / ROUNDS) * whole;
      const { landed } = await land(one, async () => {
        const how = round % 2 === 0 ? 'append' : 'save';
        const editor = spawn(process.execPath, ['-e', EDITOR, join(one.repo, name), String(after), how]);
        const ended = new Promise<void>((resolve) => editor.once('exit', () => resolve()));
        await new Promise((resolve) => editor.stdout.once('data', resolve));
        return () => ended;
      });
      const saw = readFileSync(join(one.repo, name), 'utf8');
      assert.match(saw, 'the edit\n', `round ${round}, after ${Math.round(after)} ms, landed: ${landed}`);
      const others = FILES.filter((each) => each !== name).map((each) => one.read(each));
      assert.is(others.filter((each) => each === text(landed ? 'TOP' : 'top')).length, others.length);
      assert.is(one.git('status', '--porcelain', '--', '.git').trim(), '');
    });
  }
});

test.run();
