import { test } from 'uvu';
import * as assert from 'uvu/assert';

import type { Target } from '../../src/discovery/shim.js';
import { readScoopShim, readShim } from '../../src/discovery/shim.js';
import { viewOf } from '../../src/discovery/view.js';
import { windowsPlaces } from './lay-out.js';

const NPM = 'C:\\Users\\u\\AppData\\Roaming\\npm';

function read(text: string, path = `${NPM}\\agent.cmd`): Target | null {
  return readShim(text.replaceAll('\n', '\r\n'), path, viewOf(windowsPlaces({})));
}

/** npm 7 and later. */
function npmCmd(last: string): string {
  return `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & ${last}
`;
}

test('npm: a script for Node', () => {
  assert.equal(read(npmCmd('"%_prog%"  "%dp0%\\node_modules\\@acme\\agent\\bin\\agent.js" %*')), {
    kind: 'node',
    nodeArgs: [],
    script: `${NPM}\\node_modules\\@acme\\agent\\bin\\agent.js`,
  });
});

test('npm: options of the first line go to Node', () => {
  assert.equal(read(npmCmd('"%_prog%" --no-warnings=DEP0040 "%dp0%\\node_modules\\agent\\index.js" %*')), {
    kind: 'node',
    nodeArgs: ['--no-warnings=DEP0040'],
    script: `${NPM}\\node_modules\\agent\\index.js`,
  });
});

test('npm: a native program is called without Node', () => {
  const text =
    '@ECHO off\nGOTO start\n:find_dp0\nSET dp0=%~dp0\nEXIT /b\n:start\nSETLOCAL\nCALL :find_dp0\n"%dp0%\\node_modules\\agent\\bin\\agent.exe"   %*\n';
  assert.equal(read(text), { kind: 'program', path: `${NPM}\\node_modules\\agent\\bin\\agent.exe`, args: [] });
});

test('npm: another interpreter is looked up by name', () => {
  const text = npmCmd('"%_prog%"  "%dp0%\\node_modules\\agent\\run.py" %*')
    .replaceAll('node.exe', 'python.exe')
    .replace('"_prog=node"', '"_prog=python"');
  assert.equal(read(text), { kind: 'program', path: 'python', args: [`${NPM}\\node_modules\\agent\\run.py`] });
});

test('pnpm', () => {
  const text = `@SETLOCAL
@IF NOT DEFINED NODE_PATH (
  @SET "NODE_PATH=C:\\x\\node_modules"
) ELSE (
  @SET "NODE_PATH=C:\\x\\node_modules;%NODE_PATH%"
)
@IF EXIST "%~dp0\\node.exe" (
  "%~dp0\\node.exe"  "%~dp0\\global\\5\\node_modules\\agent\\bin\\agent.js" %*
) ELSE (
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\\global\\5\\node_modules\\agent\\bin\\agent.js" %*
)
`;
  const path = 'C:\\Users\\u\\AppData\\Local\\pnpm\\agent.cmd';
  assert.equal(read(text, path), {
    kind: 'node',
    nodeArgs: [],
    script: 'C:\\Users\\u\\AppData\\Local\\pnpm\\global\\5\\node_modules\\agent\\bin\\agent.js',
  });
});

test('yarn: a stub that calls a stub', () => {
  const path = 'C:\\Users\\u\\AppData\\Local\\Yarn\\bin\\agent.cmd';
  assert.equal(read('@"%~dp0\\..\\Data\\global\\node_modules\\.bin\\agent.cmd"   %*\n', path), {
    kind: 'program',
    path: 'C:\\Users\\u\\AppData\\Local\\Yarn\\Data\\global\\node_modules\\.bin\\agent.cmd',
    args: [],
  });
});

test('scoop: a command file, and the text beside a small exe', () => {
  assert.equal(read('@rem C:\\apps\\agent\\agent.cmd\n@"C:\\apps\\agent\\agent.cmd" one %*\n'), {
    kind: 'program',
    path: 'C:\\apps\\agent\\agent.cmd',
    args: ['one'],
  });
  assert.equal(readScoopShim('path = "C:\\apps\\agent\\current\\agent.exe"\r\nargs = --flag "a b"\r\n'), {
    path: 'C:\\apps\\agent\\current\\agent.exe',
    args: ['--flag', 'a b'],
  });
  assert.is(readScoopShim('nothing'), null);
});

test('PowerShell: npm', () => {
  const text = `#!/usr/bin/env pwsh
$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent
$exe=""
if ($PSVersionTable.PSVersion -lt "6.0" -or $IsWindows) {
  $exe=".exe"
}
$ret=0
if (Test-Path "$basedir/node$exe") {
  if ($MyInvocation.ExpectingInput) {
    $input | & "$basedir/node$exe"  "$basedir/node_modules/agent/bin/agent.js" $args
  } else {
    & "$basedir/node$exe"  "$basedir/node_modules/agent/bin/agent.js" $args
  }
  $ret=$LASTEXITCODE
} else {
  if ($MyInvocation.ExpectingInput) {
    $input | & "node$exe"  "$basedir/node_modules/agent/bin/agent.js" $args
  } else {
    & "node$exe"  "$basedir/node_modules/agent/bin/agent.js" $args
  }
  $ret=$LASTEXITCODE
}
exit $ret
`;
  assert.equal(read(text, `${NPM}\\agent.ps1`), {
    kind: 'node',
    nodeArgs: [],
    script: `${NPM}\\node_modules\\agent\\bin\\agent.js`,
  });
});

test('words with slashes that are no paths go on as they are', () => {
  const stub = '@node "%~dp0\\a\\..\\run.js" npm:@acme/agent https://example.com/x /C --import=%~dp0hook.mjs %*\n';
  const found = read(stub.replace('@node', '@"%~dp0\\run.exe"'));
  assert.equal(found?.kind === 'program' ? found.args : null, [
    `${NPM}\\run.js`,
    'npm:@acme/agent',
    'https://example.com/x',
    '/C',
    `--import=${NPM}\\hook.mjs`,
  ]);
});

test('pnpm, for a program that is itself a stub: it is followed past cmd', () => {
  assert.equal(read('@cmd /C "%~dp0\\..\\agent\\agent.cmd" --flag %*\n'), {
    kind: 'program',
    path: 'C:\\Users\\u\\AppData\\Roaming\\agent\\agent.cmd',
    args: ['--flag'],
  });
});

test('a shell is never given the words of a caller', () => {
  for (const line of [
    'cmd /K %*',
    'cmd %*',
    'cmd /C %*',
    'powershell.exe -Command %*',
    'wsl agent %*',
    'bash -c "agent" %*',
  ]) {
    assert.is(read(`@${line}\n`), null, line);
  }
});

test('a folder in a variable is known when it hangs on the stub and is set once', () => {
  const stub = '@echo off\nset X=%~dp0apps\n"%X%\\agent.exe" run %*\n';
  assert.equal(read(stub), { kind: 'program', path: `${NPM}\\apps\\agent.exe`, args: ['run'] });
  assert.equal(read(stub.replace('set X=%~dp0apps', '@SET "x=%~dp0apps"')), read(stub));
  assert.is(read(stub.replace('echo off', 'echo off\nset X=C:\\apps')), null);
  assert.is(read(stub.replace('"%X%', 'set /p X=\n"%X%')), null);
});

test('what can not be told for certain is not guessed', () => {
  assert.is(read(''), null);
  assert.is(read('@echo off\necho hello\n'), null);
  assert.is(read('@"%LOCALAPPDATA%\\agent\\agent.exe" %*\n'), null);
  assert.is(read('@node %*\n'), null);
  assert.is(read('& "$env:X/agent.exe" $args', `${NPM}\\agent.ps1`), null);
});

test("a folder's name is never read as a variable", () => {
  const found = read('@"%~dp0\\x.exe" %*\n', 'C:\\50%off%\\a$b\\agent.cmd');
  assert.equal(found, { kind: 'program', path: 'C:\\50%off%\\a$b\\x.exe', args: [] });
});

test('a comment is not a command', () => {
  assert.is(read('@rem "C:\\old\\agent.exe" %*\n:: "C:\\older\\agent.exe" %*\n'), null);
});

test.run();
