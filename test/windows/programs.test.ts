// limit: 240s
// Runtimes in every form in which Windows installs them, given prompts that a shell would tear apart.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isType } from '../contract/cli.js';
import { scratch } from '../contract/scratch.js';
import { argumentsIn, exec, file, program, scene } from './scene.js';

const test = suite('runtimes as Windows installs them');

const PROMPTS: Record<string, string> = {
  plain: 'say hello',
  quotes: 'a "b" \'c\' \\"d\\" end\\',
  variables: '%PATH% %OS% !OS! $env:PATH `whoami` $(calc)',
  commands: 'x & echo 1 > injected.txt & | < > ( ) ^ "& echo 2 > injected.txt &"',
  lines: 'one\ntwo\r\nthree\n"& echo 3 > injected.txt"',
  unicode: 'ünï 漢字 🙂 \u202e',
  option: '/C --help -p',
};

const SCRIPT = `require('node:fs').writeFileSync(process.env.FAKE_LOG, process.argv.slice(2).join('\\0') + '\\0');
console.log('said by the script');`;

/** What `npm install -g` writes (cmd-shim 7). */
const NPM_STUB = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  '  SET PATHEXT=%PATHEXT:;.JS;=;%',
  ')',
  'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\fake\\cli.js" %*',
].join('\r\n');
/** What pnpm writes (@zkochan/cmd-shim). */
const PNPM_STUB = [
  '@SETLOCAL',
  '@IF EXIST "%~dp0\\node.exe" (',
  '  "%~dp0\\node.exe"  "%~dp0\\..\\store\\fake\\cli.js" %*',
  ') ELSE (',
  '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
  '  node  "%~dp0\\..\\store\\fake\\cli.js" %*',
  ')',
].join('\r\n');
const PS_STUB = [
  '$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent',
  '$exe=""',
  'if ($PSVersionTable.PSVersion -lt "6.0" -or $IsWindows) { $exe=".exe" }',
  '& "$basedir/node$exe"  "$basedir/node_modules/fake/cli.js" $args',
  '& "node$exe"  "$basedir/node_modules/fake/cli.js" $args',
].join('\n');

/** Lays a form out in a folder; the folder that goes into PATH comes back. */
const FORMS: Record<string, (folder: string) => string> = {
  npm(folder) {
    file(folder, 'node_modules\\fake\\cli.js', SCRIPT);
    file(folder, 'crush.cmd', NPM_STUB);
    return folder;
  },
  pnpm(folder) {
    file(folder, 'store\\fake\\cli.js', SCRIPT);
    file(folder, 'bin\\crush.cmd', PNPM_STUB);
    return join(folder, 'bin');
  },
  'PowerShell script alone'(folder) {
    file(folder, 'node_modules\\fake\\cli.js', SCRIPT);
    file(folder, 'crush.ps1', PS_STUB);
    return folder;
  },
  exe(folder) {
    program('fake.exe', folder, 'crush.exe');
    return folder;
  },
  scoop(folder) {
    const real = program('fake.exe', join(folder, 'apps', 'crush', 'current'), 'crush.exe');
    program('tree.exe', join(folder, 'shims'), 'crush.exe');
    file(join(folder, 'shims'), 'crush.shim', `path = "${real}"\r\n`);
    return join(folder, 'shims');
  },
  'a folder with signs'(folder) {
    const odd = join(folder, 'Grüße (x86) & Co %OS%');
    file(odd, 'node_modules\\fake\\cli.js', SCRIPT);
    file(odd, 'crush.cmd', NPM_STUB);
    return odd;
  },
};

for (const [form, lay] of Object.entries(FORMS)) {
  test(`${form}: every prompt arrives as it was given, and no shell reads it`, async () => {
    const folder = lay(scratch('form'));
    for (const [name, prompt] of Object.entries(PROMPTS)) {
      const where = scene([folder]);
      const log = join(where.cwd, '..', 'log');
      where.env['FAKE_LOG'] = log;
      const { events, code, stderr } = await exec('crush', ['--prompt', prompt], where, { stdin: 'closed' }).ended;
      const told = JSON.stringify(events.find(isType('error')) ?? stderr);
      assert.is(argumentsIn(log)?.at(-1), prompt, `${name}: ${told}`);
      assert.is(code, 0, `${name}: ${told}`);
      assert.not(existsSync(join(where.cwd, 'injected.txt')), name);
    }
  });
}

test.run();
