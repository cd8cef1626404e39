import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { locate } from '../../src/discovery/locate.js';
import { isMissing } from '../../src/discovery/located.js';
import { makeMachine, plain, program, sample, windowsPlaces, withMachine } from './lay-out.js';

/** Where each tool puts a program on Linux and macOS, with the variables it needs. */
const UNIX: readonly [title: string, at: string, env?: Record<string, string>][] = [
  ['npm with a user prefix', 'home/.npm-global/bin'],
  ['npm_config_prefix', 'prefix/bin', { npm_config_prefix: 'prefix' }],
  ['pnpm', 'home/.local/share/pnpm'],
  ['pnpm with PNPM_HOME', 'pnpm', { PNPM_HOME: 'pnpm' }],
  ['yarn', 'home/.yarn/bin'],
  ['yarn without links', 'home/.config/yarn/global/node_modules/.bin'],
  ['bun', 'home/.bun/bin'],
  ['bun with BUN_INSTALL', 'bun/bin', { BUN_INSTALL: 'bun' }],
  ['deno', 'home/.deno/bin'],
  ['nvm', 'home/.nvm/versions/node/v22.1.0/bin'],
  ['nvm with NVM_DIR', 'nvm/versions/node/v22.1.0/bin', { NVM_DIR: 'nvm' }],
  ['fnm', 'home/.local/share/fnm/node-versions/v20.0.0/installation/bin'],
  ['cargo', 'home/.cargo/bin'],
  ['go', 'home/go/bin'],
  ['user binaries', 'home/.local/bin'],
  ['uv tools', 'home/.local/share/uv/tools/sample/bin'],
  ['pipx', 'home/.local/share/pipx/venvs/sample/bin'],
];

for (const [title, at, env = {}] of UNIX) {
  test(`found without PATH: ${title}`, () =>
    withMachine({ [`${at}/turnout-sample`]: program() }, async (m) => {
      const full = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, m.at(value)]));
      for (const platform of ['linux', 'darwin'] as const) {
        const answer = await locate(sample(), m.places({ env: full, platform }));
        assert.ok(!isMissing(answer), platform);
        assert.is(answer.found, m.at(at, 'turnout-sample'));
      }
    }));
}

test('of several Node versions the newest one is taken', async () => {
  const versions = ['v9.11.2', 'v22.1.0', 'v20.19.4'];
  const items = versions.map((one) => [`home/.nvm/versions/node/${one}/bin/turnout-sample`, program()] as const);
  await withMachine(Object.fromEntries(items), async (m) => {
    const answer = await locate(sample(), m.places());
    assert.ok(!isMissing(answer));
    assert.match(answer.found, '/v22.1.0/');
  });
});

test('the prefix of ~/.npmrc is searched, with quotes, ~ and variables in it', async () => {
  for (const line of ['prefix=~/npm', 'prefix = "~/npm"', 'prefix=${HOME}/npm', 'x=1\nprefix=/wrong\nprefix=~/npm\n']) {
    await withMachine({ 'home/.npmrc': plain(line), 'home/npm/bin/turnout-sample': program() }, async (m) => {
      const answer = await locate(sample(), m.places({ env: { HOME: m.at('home') } }));
      assert.ok(!isMissing(answer), line);
      assert.is(answer.found, m.at('home/npm/bin/turnout-sample'));
    });
  }
});

test('a relative prefix in ~/.npmrc is not followed', () =>
  withMachine({ 'home/.npmrc': plain('prefix=tools'), 'project/tools/bin/turnout-sample': program() }, async (m) => {
    const before = process.cwd();
    process.chdir(m.at('project'));
    try {
      assert.ok(isMissing(await locate(sample(), m.places({ cwd: '/' }))));
    } finally {
      process.chdir(before);
    }
  }));

test('the folder of the Node that runs us is searched', async () => {
  const m = await makeMachine({ 'node22/bin/turnout-sample': program() });
  const answer = await locate(sample(), m.places({ turnout: [m.at('node22/bin/node'), m.at('turnout.js')] }));
  assert.ok(!isMissing(answer));
  assert.is(answer.found, m.at('node22/bin/turnout-sample'));
  await m.remove();
});

const WINDOWS: readonly [title: string, at: string, env?: Record<string, string>][] = [
  ['npm', 'C:\\Users\\u\\AppData\\Roaming\\npm\\turnout-sample.cmd'],
  ['pnpm', 'C:\\Users\\u\\AppData\\Local\\pnpm\\turnout-sample.cmd'],
  ['yarn', 'C:\\Users\\u\\AppData\\Local\\Yarn\\bin\\turnout-sample.cmd'],
  ['bun', 'C:\\Users\\u\\.bun\\bin\\turnout-sample.exe'],
  ['volta', 'C:\\Users\\u\\AppData\\Local\\Volta\\bin\\turnout-sample.exe'],
  ['scoop', 'C:\\Users\\u\\scoop\\shims\\turnout-sample.exe'],
  ['winget', 'C:\\Users\\u\\AppData\\Local\\Microsoft\\WinGet\\Links\\turnout-sample.exe'],
  ['nvm for Windows', 'C:\\nvm4w\\nodejs\\turnout-sample.cmd', { NVM_SYMLINK: 'C:\\nvm4w\\nodejs' }],
  ['user binaries', 'C:\\Users\\u\\.local\\bin\\turnout-sample.exe'],
  ['chocolatey', 'C:\\ProgramData\\chocolatey\\bin\\turnout-sample.exe', { ProgramData: 'C:\\ProgramData' }],
];

for (const [title, at, env = {}] of WINDOWS) {
  test(`found on Windows without PATH: ${title}`, async () => {
    const answer = await locate(sample(), windowsPlaces({ [at]: '' }, env));
    assert.ok(!isMissing(answer));
    assert.is(answer.found, at);
    assert.is(answer.source, 'place');
  });
}

test('on Windows the npm prefix itself holds the programs', async () => {
  const disk = { 'C:\\Users\\u\\.npmrc': 'prefix=D:\\npm', 'D:\\npm\\turnout-sample.cmd': '' };
  const answer = await locate(sample(), windowsPlaces(disk));
  assert.ok(!isMissing(answer));
  assert.is(answer.found, 'D:\\npm\\turnout-sample.cmd');
});

test.run();
