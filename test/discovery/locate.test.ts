import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { locate } from '../../src/discovery/locate.js';
import type { Located } from '../../src/discovery/located.js';
import { isMissing } from '../../src/discovery/located.js';
import type { Places } from '../../src/discovery/places.js';
import type { Runner } from '../../src/runner/runner.js';
import { link, plain, program, sample, windowsPlaces, withMachine } from './lay-out.js';

async function found(runner: Runner, places: Places): Promise<Located> {
  const answer = await locate(runner, places);
  if (isMissing(answer)) throw new Error(`missing: ${answer.notes.join('; ')}`);
  return answer;
}

async function missing(runner: Runner, places: Places): Promise<string> {
  const answer = await locate(runner, places);
  assert.ok(isMissing(answer), `found ${JSON.stringify(answer)}`);
  return answer.notes.join('; ');
}

test('PATH is searched in order, and links are followed for the real path', () =>
  withMachine(
    { 'a/turnout-sample': link('../b/real'), 'b/real': program(), 'b/turnout-sample': program() },
    async (m) => {
      const answer = await found(sample(), m.places({ env: { PATH: `${m.at('none')}:${m.at('a')}:${m.at('b')}` } }));
      assert.is(answer.found, m.at('a/turnout-sample'));
      assert.is(answer.real, m.at('b/real'));
      assert.is(answer.source, 'path');
      assert.equal(answer.notes, []);
    },
  ));

test('the best name wins over the order of folders', () =>
  withMachine({ 'a/second': program(), 'b/turnout-sample': program() }, async (m) => {
    const runner = sample({ bins: ['turnout-sample', 'second'] });
    const env = { PATH: `${m.at('a')}:${m.at('b')}` };
    assert.is((await found(runner, m.places({ env }))).found, m.at('b/turnout-sample'));
  }));

test('without PATH a program in a well-known folder is found', () =>
  withMachine({ 'home/.local/bin/turnout-sample': program() }, async (m) => {
    const answer = await found(sample(), m.places());
    assert.is(answer.found, m.at('home/.local/bin/turnout-sample'));
    assert.is(answer.source, 'place');
  }));

test('nothing anywhere is missing without notes', () =>
  withMachine({}, async (m) => assert.is(await missing(sample(), m.places({ env: { PATH: '/usr/bin:/bin' } })), '')));

test('what bears the name but can not be started is passed over with a note', () =>
  withMachine(
    {
      'broken/turnout-sample': link('gone'),
      'loop/turnout-sample': link('turnout-sample'),
      'plain/turnout-sample': plain('text'),
      'folder/turnout-sample': 'folder',
      'good/turnout-sample': program(),
    },
    async (m) => {
      const env = { PATH: ['broken', 'loop', 'plain', 'folder', 'good'].map((name) => m.at(name)).join(':') };
      const answer = await found(sample(), m.places({ env }));
      assert.is(answer.found, m.at('good/turnout-sample'));
      assert.match(answer.notes.join('\n'), /broken\/turnout-sample is a link to a file that does not exist/);
      assert.match(answer.notes.join('\n'), /loop\/turnout-sample is a link that leads back to itself/);
      assert.match(answer.notes.join('\n'), /plain\/turnout-sample is not executable/);
      assert.not.match(answer.notes.join('\n'), 'folder/turnout-sample');
    },
  ));

test('a relative or empty PATH entry never picks a program planted in the working folder, and a note says so', () =>
  withMachine({ 'project/turnout-sample': program(), 'project/bin/turnout-sample': program() }, async (m) => {
    for (const PATH of ['.', '', 'bin', ':/usr/bin', './bin']) {
      const notes = await missing(sample(), m.places({ env: { PATH } }));
      if (PATH !== '') assert.match(notes, /not taken, because the PATH entry '.*' is not absolute/);
    }
  }));

test('a PATH entry inside the working folder loses against every other place', () =>
  withMachine(
    { 'project/node_modules/.bin/turnout-sample': program(), 'home/.local/bin/turnout-sample': program() },
    async (m) => {
      const answer = await found(sample(), m.places({ env: { PATH: m.at('project/node_modules/.bin') } }));
      assert.is(answer.found, m.at('home/.local/bin/turnout-sample'));
      assert.match(answer.notes.join('\n'), /node_modules\/.bin\/turnout-sample: inside the working folder/);
    },
  ));

test('a PATH entry that reaches the working folder through a link is inside it too', () =>
  withMachine(
    {
      'project/bin/turnout-sample': program(),
      alias: link('project/bin'),
      'home/.local/bin/turnout-sample': program(),
    },
    async (m) => {
      const answer = await found(sample(), m.places({ env: { PATH: m.at('alias') } }));
      assert.is(answer.found, m.at('home/.local/bin/turnout-sample'));
    },
  ));

test('where nothing else is installed, the program of the project is taken and named', () =>
  withMachine({ 'project/bin/turnout-sample': program() }, async (m) => {
    const answer = await found(sample(), m.places({ env: { PATH: m.at('project/bin') } }));
    assert.is(answer.found, m.at('project/bin/turnout-sample'));
    assert.match(answer.notes.join('\n'), 'was taken because there is no other');
  }));

test('the override variable wins over PATH', () =>
  withMachine({ 'a/turnout-sample': program(), 'mine/agent-x': program() }, async (m) => {
    const env = { PATH: m.at('a'), SAMPLE_CLI_BIN: m.at('mine/agent-x') };
    const answer = await found(sample(), m.places({ env }));
    assert.is(answer.found, m.at('mine/agent-x'));
    assert.is(answer.source, 'variable');
  }));

test('an override that can not be used is missing, even when PATH has the program', () =>
  withMachine({ 'a/turnout-sample': program(), 'mine/text': plain('x'), 'mine/folder': 'folder' }, async (m) => {
    const cases: [string, RegExp][] = [
      [m.at('mine/gone'), /does not exist/],
      [m.at('mine/text'), /is not executable/],
      [m.at('mine/folder'), /is a folder/],
    ];
    for (const [value, reason] of cases) {
      const notes = await missing(sample(), m.places({ env: { PATH: m.at('a'), SAMPLE_CLI_BIN: value } }));
      assert.match(notes, /^SAMPLE_CLI_BIN is set to/);
      assert.match(notes, reason);
    }
  }));

test('an override without a slash is looked up on PATH and nowhere else', () =>
  withMachine({ 'a/other-name': program(), 'home/.local/bin/hidden': program() }, async (m) => {
    const env = { PATH: m.at('a'), SAMPLE_CLI_BIN: 'other-name' };
    const answer = await found(sample(), m.places({ env }));
    assert.is(answer.found, m.at('a/other-name'));
    assert.is(answer.source, 'variable');
    assert.match(await missing(sample(), m.places({ env: { ...env, SAMPLE_CLI_BIN: 'hidden' } })), 'SAMPLE_CLI_BIN');
  }));

test('an empty override counts as not set, and ~ is the home folder', () =>
  withMachine({ 'a/turnout-sample': program(), 'home/x/agent': program() }, async (m) => {
    const empty = await found(sample(), m.places({ env: { PATH: m.at('a'), SAMPLE_CLI_BIN: '' } }));
    assert.is(empty.source, 'path');
    const tilde = await found(sample(), m.places({ env: { SAMPLE_CLI_BIN: '~/x/agent' } }));
    assert.is(tilde.found, m.at('home/x/agent'));
  }));

test("the variable's name is the id in capitals; the runner's own variable counts too, after it", () =>
  withMachine({ 'a/one': program(), 'a/two': program() }, async (m) => {
    const runner = sample({ id: 'pi-rpc.x', binVariables: ['SAMPLE_BIN'] });
    const both = { PI_RPC_X_CLI_BIN: m.at('a/one'), SAMPLE_BIN: m.at('a/two') };
    assert.is((await found(runner, m.places({ env: both }))).found, m.at('a/one'));
    assert.is((await found(runner, m.places({ env: { SAMPLE_BIN: m.at('a/two') } }))).found, m.at('a/two'));
  }));

test("a runner's own places may name a folder or the program, also one with the program's name", () =>
  withMachine(
    { 'home/.own/bin/turnout-sample': program(), 'home/tools/turnout-sample/turnout-sample': program() },
    async (m) => {
      const folder = sample({ places: ['~/.own/bin'] });
      assert.is((await found(folder, m.places())).found, m.at('home/.own/bin/turnout-sample'));
      const file = sample({ places: ['~/.own/bin/turnout-sample'] });
      assert.is((await found(file, m.places())).found, m.at('home/.own/bin/turnout-sample'));
      const named = sample({ places: ['~/tools/turnout-sample'] });
      assert.is((await found(named, m.places())).found, m.at('home/tools/turnout-sample/turnout-sample'));
    },
  ));

test('a built-in runtime is our own program, and missing where that is not known', () =>
  withMachine({}, async (m) => {
    const runner = sample({ builtin: true, bins: [] });
    const answer = await found(runner, m.places({ turnout: ['/node', '/turnout.js'] }));
    assert.is(answer.source, 'builtin');
    assert.is(answer.found, '/turnout.js');
    assert.match(await missing(runner, m.places()), 'not known');
  }));

test('on Windows PATHEXT is followed, the name on disk is kept, and a shell script of npm is never taken', async () => {
  const disk = {
    'C:\\tools\\turnout-sample': '#!/bin/sh',
    'C:\\tools\\Turnout-Sample.CMD': '@echo off',
    'C:\\tools\\turnout-sample.ps1': '',
  };
  const answer = await found(sample(), windowsPlaces(disk, { Path: 'C:\\tools', PATHEXT: '.EXE;.CMD' }));
  assert.is(answer.found, 'C:\\tools\\Turnout-Sample.CMD');
});

test('on Windows the working folder is not searched first, as cmd.exe would', async () => {
  const disk = { 'C:\\project\\turnout-sample.exe': '', 'C:\\tools\\turnout-sample.exe': '' };
  const answer = await found(sample(), windowsPlaces(disk, { Path: '.;C:\\tools' }));
  assert.is(answer.found, 'C:\\tools\\turnout-sample.exe');
});

test('on Windows an override may be a path with backslashes', async () => {
  const disk = { 'D:\\mine\\agent.exe': '' };
  assert.is(
    (await found(sample(), windowsPlaces(disk, { sample_cli_bin: 'D:\\mine\\agent.exe' }))).found,
    'D:\\mine\\agent.exe',
  );
});

test.run();
