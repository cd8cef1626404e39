import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { locate } from '../../src/discovery/locate.js';
import { isMissing } from '../../src/discovery/located.js';
import type { Places } from '../../src/discovery/places.js';
import type { VersionRead } from '../../src/discovery/version.js';
import { readVersion } from '../../src/discovery/version.js';
import type { Runner } from '../../src/runner/runner.js';
import type { Item } from './lay-out.js';
import { link, packageJson, plain, program, sample, windowsPlaces, withMachine } from './lay-out.js';

async function versionOf(runner: Runner, places: Places): Promise<VersionRead> {
  const located = await locate(runner, places);
  if (isMissing(located)) throw new Error(`missing: ${located.notes.join('; ')}`);
  return readVersion(runner, located, places);
}

const NODE_SCRIPT = '#!/usr/bin/env node\n';

interface Layout {
  title: string;
  /** Folder on PATH. */
  path: string;
  items: Record<string, Item>;
  expected: Pick<VersionRead, 'version' | 'source'>;
  runner?: Partial<Runner>;
}

const fromPackage = (version: string) => ({ version, source: 'package.json' }) as const;
const fromPath = (version: string) => ({ version, source: 'install-path' }) as const;
const unknown = { version: null, source: 'not-probed' } as const;

const LAYOUTS: readonly Layout[] = [
  {
    title: 'npm -g links to the script in lib/node_modules',
    path: 'usr/bin',
    items: {
      'usr/bin/turnout-sample': link('../lib/node_modules/@acme/sample/dist/cli.js'),
      'usr/lib/node_modules/@acme/sample/dist/cli.js': program(NODE_SCRIPT),
      'usr/lib/node_modules/@acme/sample/dist/package.json': plain('{"type":"module"}'),
      'usr/lib/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.4.0'),
    },
    expected: fromPackage('1.4.0'),
  },
  {
    title: 'node_modules/.bin links into the package beside it',
    path: 'x/node_modules/.bin',
    items: {
      'x/node_modules/.bin/turnout-sample': link('../@acme/sample/cli.js'),
      'x/node_modules/@acme/sample/cli.js': program(NODE_SCRIPT),
      'x/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.5.0'),
    },
    expected: fromPackage('1.5.0'),
  },
  {
    title: 'node_modules/.bin with a script instead of a link',
    path: 'x/node_modules/.bin',
    items: {
      'x/node_modules/.bin/turnout-sample': program('#!/bin/sh\nexec node ../@acme/sample/cli.js "$@"\n'),
      'x/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.5.1'),
    },
    expected: fromPackage('1.5.1'),
  },
  {
    title: 'a native program in the package of one platform',
    path: 'bin',
    items: {
      'bin/turnout-sample': link('../lib/node_modules/@acme/sample-linux-x64/vendor/musl/bin/agent'),
      'lib/node_modules/@acme/sample-linux-x64/vendor/musl/bin/agent': program('\x7fELF'),
      'lib/node_modules/@acme/sample-linux-x64/package.json': packageJson('@acme/sample-linux-x64', '2.0.0'),
    },
    expected: fromPackage('2.0.0'),
  },
  {
    title: 'a platform package that carries the platform in its version',
    path: 'bin',
    items: {
      'bin/turnout-sample': link('../lib/node_modules/@acme/sample-linux-x64/bin/agent'),
      'lib/node_modules/@acme/sample-linux-x64/bin/agent': program('\x7fELF'),
      'lib/node_modules/@acme/sample-linux-x64/package.json': packageJson('@acme/sample', '0.171.0-linux-x64'),
    },
    expected: fromPackage('0.171.0'),
  },
  {
    title: 'a package whose name only begins like ours is a stranger',
    path: 'bin',
    items: {
      'bin/turnout-sample': link('../lib/node_modules/@acme/sample-extras/cli.js'),
      'lib/node_modules/@acme/sample-extras/cli.js': program(NODE_SCRIPT),
      'lib/node_modules/@acme/sample-extras/package.json': packageJson('@acme/sample-extras', '9.9.9'),
    },
    expected: unknown,
  },
  {
    title: 'pnpm writes a shell script that names the real file',
    path: 'home/.local/share/pnpm',
    items: {
      'home/.local/share/pnpm/turnout-sample': program(
        [
          '#!/bin/sh',
          'basedir=$(dirname "$(echo "$0" | sed -e \'s,\\\\,/,g\')")',
          'if [ -x "$basedir/node" ]; then',
          '  exec "$basedir/node"  "$basedir/global/5/node_modules/@acme/sample/bin/cli.js" "$@"',
          'else',
          '  exec node  "$basedir/global/5/node_modules/@acme/sample/bin/cli.js" "$@"',
          'fi',
        ].join('\n'),
      ),
      'home/.local/share/pnpm/global/5/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.6.0'),
    },
    expected: fromPackage('1.6.0'),
  },
  {
    title: 'bun links to its global install',
    path: 'home/.bun/bin',
    items: {
      'home/.bun/bin/turnout-sample': link('../install/global/node_modules/@acme/sample/cli.js'),
      'home/.bun/install/global/node_modules/@acme/sample/cli.js': program(NODE_SCRIPT),
      'home/.bun/install/global/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.7.0'),
    },
    expected: fromPackage('1.7.0'),
  },
  {
    title: 'a script that somebody wrote over the package npm put beside it',
    path: 'usr/local/bin',
    items: {
      'usr/local/bin/turnout-sample': program('#!/bin/sh\nexec node /somewhere "$@"\n'),
      'usr/local/lib/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.8.0'),
    },
    expected: fromPackage('1.8.0'),
  },
  {
    title: 'a native program is not said to be the package that happens to lie beside it',
    path: 'usr/local/bin',
    items: {
      'usr/local/bin/turnout-sample': program('\x7fELF'),
      'usr/local/lib/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.8.0'),
    },
    expected: unknown,
  },
  {
    title: 'Homebrew keeps the version in the path, with a revision of its own',
    path: 'brew/bin',
    items: {
      'brew/bin/turnout-sample': link('../Cellar/sample-cli/3.2.1_2/bin/turnout-sample'),
      'brew/Cellar/sample-cli/3.2.1_2/bin/turnout-sample': program('\x7fELF'),
    },
    expected: fromPath('3.2.1'),
  },
  {
    title: "the version of Homebrew's Node is not that of a program in it",
    path: 'brew/bin',
    items: {
      'brew/bin/turnout-sample': link('../Cellar/node@22/22.4.0/bin/turnout-sample'),
      'brew/Cellar/node@22/22.4.0/bin/turnout-sample': program('\x7fELF'),
    },
    expected: unknown,
  },
  {
    title: 'the claude installer names the program after its version',
    path: 'home/.local/bin',
    items: {
      'home/.local/bin/turnout-sample': link('../share/sample/versions/2.1.332'),
      'home/.local/share/sample/versions/2.1.332': program('\x7fELF'),
    },
    expected: fromPath('2.1.332'),
  },
  {
    title: 'a folder of versions, with a date and a hash',
    path: 'home/.local/bin',
    items: {
      'home/.local/bin/turnout-sample': link('../share/sample/versions/2025.10.28-0a1b2c/turnout-sample'),
      'home/.local/share/sample/versions/2025.10.28-0a1b2c/turnout-sample': program('#!/bin/sh\n'),
    },
    expected: fromPath('2025.10.28-0a1b2c'),
  },
  {
    title: 'the version in the path of nvm is that of Node',
    path: 'home/.nvm/versions/node/v22.1.0/bin',
    items: { 'home/.nvm/versions/node/v22.1.0/bin/turnout-sample': program('\x7fELF') },
    expected: unknown,
  },
  {
    title: 'a Nix store path',
    path: 'profile/bin',
    items: {
      'profile/bin/turnout-sample': link(
        '../../nix/store/0123456789abcdfghijklmnpqrsvwxyz-sample-cli-4.5.6/bin/turnout-sample',
      ),
      'nix/store/0123456789abcdfghijklmnpqrsvwxyz-sample-cli-4.5.6/bin/turnout-sample': program('\x7fELF'),
    },
    expected: fromPath('4.5.6'),
  },
  {
    title: 'a Python program tells its version by the metadata of its environment',
    path: 'home/.local/bin',
    items: {
      'home/.local/bin/turnout-sample': link('../share/uv/tools/acme-sample/bin/turnout-sample'),
      'home/.local/share/uv/tools/acme-sample/bin/turnout-sample': program('#!/somewhere/python\n'),
      'home/.local/share/uv/tools/acme-sample/lib/python3.12/site-packages/acme_sample-0.86.1.dist-info/METADATA':
        plain(),
      'home/.local/share/uv/tools/acme-sample/lib/python3.12/site-packages/other-1.0.dist-info/METADATA': plain(),
    },
    expected: fromPath('0.86.1'),
    runner: { packages: ['Acme.Sample'] },
  },
  {
    title: 'a damaged package.json tells nothing',
    path: 'bin',
    items: {
      'bin/turnout-sample': link('../lib/node_modules/@acme/sample/cli.js'),
      'lib/node_modules/@acme/sample/cli.js': program(NODE_SCRIPT),
      'lib/node_modules/@acme/sample/package.json': plain('{"name":"@acme/sample","vers'),
    },
    expected: unknown,
  },
];

for (const { title, path, items, expected, runner } of LAYOUTS) {
  test(title, () =>
    withMachine(items, async (m) => {
      const read = await versionOf(sample(runner), m.places({ env: { PATH: m.at(path) } }));
      assert.equal({ version: read.version, source: read.source }, expected);
    }),
  );
}

test('a Python script away from its environment names it in its first line', () =>
  withMachine({ 'venv/lib/python3.11/site-packages/sample-1.1.0.dist-info/METADATA': plain() }, async (m) => {
    await m.lay({ 'bin/turnout-sample': program(`#!${m.at('venv/bin/python3')}\nimport sample\n`) });
    const places = m.places({ env: { PATH: m.at('bin') } });
    const read = await versionOf(sample({ packages: ['other', 'sample'] }), places);
    assert.equal([read.version, read.source, read.package], ['1.1.0', 'install-path', 'sample']);
  }));

test('the package tells programs of one name apart, and a stranger is named', () =>
  withMachine(
    {
      'lib/node_modules/@rival/agent/cli.js': program(NODE_SCRIPT),
      'lib/node_modules/@rival/agent/package.json': packageJson('@rival/agent', '7.0.0'),
      'bin/turnout-sample': link('../lib/node_modules/@rival/agent/cli.js'),
    },
    async (m) => {
      const places = m.places({ env: { PATH: m.at('bin') } });
      const both = await versionOf(sample({ packages: ['@acme/sample', '@rival/agent'] }), places);
      assert.equal([both.version, both.package], ['7.0.0', '@rival/agent']);
      const stranger = await versionOf(sample(), places);
      assert.equal([stranger.version, stranger.package], [null, '@rival/agent']);
      assert.match(stranger.notes.join('\n'), 'belongs to the package @rival/agent');
    },
  ));

test('on Windows the package lies where the stub points', async () => {
  const npm = 'C:\\Users\\u\\AppData\\Roaming\\npm';
  const disk = {
    [`${npm}\\turnout-sample.cmd`]: '@"%~dp0\\node.exe" "%~dp0\\node_modules\\@acme\\sample\\bin\\cli.js" %*',
    [`${npm}\\node_modules\\@acme\\sample\\package.json`]: JSON.stringify({ name: '@acme/sample', version: '1.9.0' }),
  };
  const read = await versionOf(sample(), windowsPlaces(disk));
  assert.equal([read.version, read.source], ['1.9.0', 'package.json']);
});

test("on Windows uv's launcher has its metadata in the folder of tools", async () => {
  const disk = {
    'C:\\Users\\u\\.local\\bin\\turnout-sample.exe': '',
    'C:\\Users\\u\\AppData\\Roaming\\uv\\tools\\sample\\Lib\\site-packages\\sample-0.9.0.dist-info\\METADATA': '',
  };
  const read = await versionOf(sample({ packages: ['sample'] }), windowsPlaces(disk));
  assert.equal([read.version, read.source], ['0.9.0', 'install-path']);
});

test('the built-in runtime has our own version', () =>
  withMachine({ 'pkg/package.json': packageJson('turnout', '3.4.5'), 'pkg/bin/turnout.js': program() }, async (m) => {
    const runner = sample({ builtin: true, bins: [], packages: [] });
    const read = await versionOf(runner, m.places({ turnout: ['node', m.at('pkg/bin/turnout.js')] }));
    assert.equal([read.version, read.source], ['3.4.5', 'package.json']);
  }));

test.run();
