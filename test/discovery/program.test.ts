import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { TurnoutError } from '../../src/contract/error.js';
import { locate } from '../../src/discovery/locate.js';
import { isMissing } from '../../src/discovery/located.js';
import type { Places } from '../../src/discovery/places.js';
import { toProgram } from '../../src/discovery/program.js';
import type { Program } from '../../src/runner/machine.js';
import type { Runner } from '../../src/runner/runner.js';
import { link, packageJson, program, sample, windowsPlaces, withMachine } from './lay-out.js';

const NPM = 'C:\\Users\\u\\AppData\\Roaming\\npm';
const STUB =
  '@IF EXIST "%~dp0\\node.exe" (\r\n "%~dp0\\node.exe" "%~dp0\\node_modules\\a\\cli.js" %*\r\n) ELSE (\r\n node "%~dp0\\node_modules\\a\\cli.js" %*\r\n)\r\n';

async function programOf(places: Places, runner: Runner = sample()): Promise<Program> {
  const located = await locate(runner, places);
  if (isMissing(located)) throw new Error('missing');
  return toProgram(runner, located, places);
}

test('a script is started as it was found; its package is the variant', () =>
  withMachine(
    {
      'bin/turnout-sample': link('../lib/node_modules/@acme/sample/cli.js'),
      'lib/node_modules/@acme/sample/cli.js': program('#!/usr/bin/env node\n'),
      'lib/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.0.0'),
    },
    async (m) => {
      assert.equal(await programOf(m.places({ env: { PATH: m.at('bin') } })), {
        path: m.at('bin/turnout-sample'),
        args: [],
        found: m.at('bin/turnout-sample'),
        real: m.at('lib/node_modules/@acme/sample/cli.js'),
        version: '1.0.0',
        variant: '@acme/sample',
      });
    },
  ));

test('the built-in runtime is our own program with a hidden first word', async () => {
  const places = windowsPlaces({});
  const found = await programOf(places, sample({ builtin: true, bins: [] }));
  assert.is(found.path, 'C:\\node\\node.exe');
  assert.equal(found.args, ['C:\\turnout\\bin\\turnout.js', '__demo']);
});

test('a Windows stub becomes Node and its script: the Node beside it, else that on PATH, else ours', async () => {
  const script = `${NPM}\\node_modules\\a\\cli.js`;
  const disk = { [`${NPM}\\turnout-sample.cmd`]: STUB };
  const ours = await programOf(windowsPlaces(disk));
  assert.equal([ours.path, ours.args], ['C:\\node\\node.exe', [script]]);
  const onPath = await programOf(windowsPlaces({ ...disk, 'D:\\node\\node.exe': '' }, { Path: 'D:\\node' }));
  assert.is(onPath.path, 'D:\\node\\node.exe');
  const beside = await programOf(
    windowsPlaces({ ...disk, [`${NPM}\\node.exe`]: '', 'D:\\node\\node.exe': '' }, { Path: 'D:\\node' }),
  );
  assert.is(beside.path, `${NPM}\\node.exe`);
});

test('a Node planted in the working folder is not taken for a stub', async () => {
  const disk = { [`${NPM}\\turnout-sample.cmd`]: STUB, 'C:\\project\\node.exe': '' };
  assert.is((await programOf(windowsPlaces(disk, { Path: 'C:\\project;.' }))).path, 'C:\\node\\node.exe');
});

test('an .exe is started as it is; a stub of a stub is followed to its end', async () => {
  const exe = await programOf(windowsPlaces({ 'C:\\t\\turnout-sample.exe': '' }, { Path: 'C:\\t' }));
  assert.equal([exe.path, exe.args], ['C:\\t\\turnout-sample.exe', []]);
  const disk = {
    'C:\\t\\turnout-sample.cmd': '@"%~dp0\\in\\turnout-sample.cmd" %*\r\n',
    'C:\\t\\in\\turnout-sample.cmd': '@"%~dp0\\x.exe" one %*\r\n',
  };
  const chain = await programOf(windowsPlaces(disk, { Path: 'C:\\t' }));
  assert.equal([chain.path, chain.args], ['C:\\t\\in\\x.exe', ['one']]);
});

test("scoop's small exe is replaced by the program it would start", async () => {
  const disk = {
    'C:\\s\\turnout-sample.exe': '',
    'C:\\s\\turnout-sample.shim': 'path = "C:\\apps\\x.exe"\r\nargs = run\r\n',
  };
  const found = await programOf(windowsPlaces(disk, { Path: 'C:\\s' }));
  assert.equal([found.path, found.args, found.found], ['C:\\apps\\x.exe', ['run'], 'C:\\s\\turnout-sample.exe']);
});

test('an override may name the script itself on Windows', async () => {
  const found = await programOf(windowsPlaces({ 'C:\\a\\cli.mjs': '' }, { SAMPLE_CLI_BIN: 'C:\\a\\cli.mjs' }));
  assert.equal([found.path, found.args], ['C:\\node\\node.exe', ['C:\\a\\cli.mjs']]);
});

test('a stub that can not be resolved, or that leads in a circle, is an error that says what to set', async () => {
  for (const text of ['@echo off\r\ncall something\r\n', '@"%~dp0\\turnout-sample.cmd" %*\r\n']) {
    try {
      await programOf(windowsPlaces({ 'C:\\t\\turnout-sample.cmd': text }, { Path: 'C:\\t' }));
      assert.unreachable();
    } catch (error) {
      if (!(error instanceof TurnoutError)) throw error;
      assert.is(error.code, 'missing-binary');
      assert.match(error.message, 'SAMPLE_CLI_BIN');
    }
  }
});

test.run();
