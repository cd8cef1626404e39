import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bareStarts } from './starts.js';

const test = suite('how programs are started');
const root = process.env['TURNOUT_ROOT'] ?? '.';

test('no program is started by a bare name, nor by one that may be bare', () => {
  const files = ['src', 'runners'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const sources = files.filter((file) => /\.tsx?$/.test(file));
  assert.ok(sources.length > 100);
  const starts = sources.map((file) => [file, bareStarts(readFileSync(join(root, file), 'utf8'))] as const);
  assert.equal(
    starts.filter(([, bare]) => bare.length > 0).sort(),
    // `startable` gave it a full path, or it is bubblewrap's; nothing else has walls.
    [
      ['src/process/confine/try-walls.ts', ['bwrap.path']],
      ['src/process/launch.ts', ['program']],
    ],
  );
});

test('a bare name is found, in a variable too', () => {
  for (const bare of [
    "execa('git', [])",
    "spawn(\n  'cmd')",
    'execFile(`ps`)',
    "spawn(on ? 'cmd' : 'sh')",
    'x.fork(a)',
  ]) {
    assert.is(bareStarts(bare).length, bare.startsWith('x.') ? 0 : 1, bare);
  }
  assert.equal(bareStarts("const name = 'git';\nexeca(name, []);"), ['name']);
  for (const full of ["spawn('/bin/sh', [])", "execa(onPath('git', env), [])", 'spawn(process.execPath)']) {
    assert.equal(bareStarts(full), [], full);
  }
});

test.run();
