// limit: 180s
// Files and folders as Windows has them.
import { copyFileSync, existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, isType, run, textOf } from '../contract/cli.js';
import { errorCode } from '../contract/ending.js';
import { scratch } from '../contract/scratch.js';
import { argumentsIn, exec, file, isAlive, program, scene } from './scene.js';

const test = suite('files on Windows');

test('a prompt that PowerShell wrote as UTF-16 arrives as text', async () => {
  const where = scene();
  file(where.cwd, 'p.txt', Buffer.from('\ufeffsay Grüße 漢字\r\n', 'utf16le'));
  const { code, events } = await run(['agent', 'exec', '--runtime', 'demo', '--prompt-file', 'p.txt'], { place: where })
    .ended;
  assert.is(code, 0);
  assert.match(textOf(events), /Grüße 漢字/);
});

test('a folder to record into is refused before anything runs', async () => {
  const where = scene();
  const { code, stderr, lines } = await demo('hello', ['--record', where.cwd], { place: where }).ended;
  assert.equal([code, lines], [2, []]);
  assert.match(stderr, /--record .*EISDIR/);
});

test('a private file that somebody holds open does not decide how the turn ended', async () => {
  const bin = scratch('amp');
  program('holds-file.exe', bin, 'amp.exe');
  const where = scene([bin]);
  const { code, events } = await exec('amp', ['--prompt', 'hi'], where, { stdin: 'closed' }).ended;
  assert.equal([events.at(-1)?.['exit_code'], code], [0, 0], JSON.stringify(events.find(isType('error'))));
});

test('a folder that a dead turn left a day ago is removed by the next one, one of a living process is not', async () => {
  const where = scene();
  const temp = where.env['TEMP'] ?? '';
  const dead = join(temp, 'turnout-00112233445566aa-999999');
  const living = join(temp, `turnout-00112233445566aa-${process.pid}`);
  const young = join(temp, 'turnout-00112233445566ab-999999');
  for (const folder of [dead, living, young]) mkdirSync(folder);
  for (const folder of [dead, living]) utimesSync(folder, new Date(0), new Date(0));
  assert.not(isAlive(999_999));
  const bin = scratch('amp');
  program('fake.exe', bin, 'amp.exe');
  where.env['Path'] = `${bin};${where.env['Path']}`;
  await exec('amp', ['--prompt', 'x'], where).ended;
  assert.equal(
    [dead, living, young].map((folder) => existsSync(folder)),
    [false, true, true],
    readdirSync(temp).join(' '),
  );
});

for (const [kind, folder] of [
  ['blanks and signs', 'Prögräm Files (x86) & %PATH% 漢字'],
  ['150 characters', 'n'.repeat(150)],
] as const) {
  test(`a working folder with ${kind}`, async () => {
    const where = scene();
    const cwd = join(where.cwd, folder);
    mkdirSync(cwd);
    const { code, events } = await demo('write a.txt hello', ['--access', 'full', '--cwd', cwd], {
      place: where,
    }).ended;
    assert.is(code, 0, JSON.stringify(events.find(isType('error'))));
    assert.ok(existsSync(join(cwd, 'a.txt')), JSON.stringify(events.filter(isType('tool_activity'))));
  });
}

test('a working folder past what Windows starts programs in is named as the cause', async () => {
  const where = scene();
  const cwd = join(where.cwd, 'a'.repeat(120), 'b'.repeat(120));
  mkdirSync(cwd, { recursive: true });
  const { events } = await demo('hello', ['--cwd', cwd], { place: where }).ended;
  assert.match(String(events.find(isType('error'))?.['message']), /too long for Windows/);
});

test('a stub that names its folder in a variable is followed; one that can’t be read is no fault of ours', async () => {
  const bin = scratch('bat');
  const real = program('fake.exe', join(bin, 'apps'), 'crush.exe');
  file(bin, 'crush.bat', '@echo off\r\nset X=%~dp0apps\r\n"%X%\\crush.exe" %*\r\n');
  const where = scene([bin]);
  where.env['FAKE_LOG'] = join(where.cwd, '..', 'log');
  assert.is((await exec('crush', ['--prompt', 'a "b" & c'], where).ended).code, 0);
  assert.is(argumentsIn(where.env['FAKE_LOG'])?.at(-1), 'a "b" & c');
  copyFileSync(real, join(bin, 'other.exe'));
  file(bin, 'crush.bat', '@echo off\r\nfor %%i in (other) do "%~dp0%%i.exe" %*\r\n');
  const ended = await exec('crush', ['--prompt', 'x'], where).ended;
  assert.equal([errorCode(ended.events), ended.code], ['missing-binary', 2]);
  assert.match(String(ended.events.find(isType('error'))?.['message']), /CRUSH_CLI_BIN/);
});

test('a file that is no program says why nothing runs', async () => {
  const bin = scratch('broken');
  file(bin, 'crush.exe', 'MZ is not enough');
  const ended = await exec('crush', ['--prompt', 'x'], scene([bin])).ended;
  assert.is(errorCode(ended.events), 'runner-error');
  assert.match(String(ended.events.find(isType('error'))?.['message']), /Windows error \d+|could not be started/);
});

test.run();
