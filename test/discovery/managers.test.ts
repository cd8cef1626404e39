import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { locate } from '../../src/discovery/locate.js';
import type { Located } from '../../src/discovery/located.js';
import { isMissing } from '../../src/discovery/located.js';
import type { Places } from '../../src/discovery/places.js';
import { toProgram } from '../../src/discovery/program.js';
import { readVersion } from '../../src/discovery/version.js';
import type { Item } from './lay-out.js';
import { link, packageJson, program, sample, withMachine } from './lay-out.js';

async function found(places: Places): Promise<Located> {
  const answer = await locate(sample(), places);
  if (isMissing(answer)) throw new Error('missing');
  return answer;
}

/** An npm install below a folder, as the managers lay it out. */
function install(folder: string, version: string): Record<string, Item> {
  return {
    [`${folder}/bin/turnout-sample`]: link('../lib/node_modules/@acme/sample/cli.js'),
    [`${folder}/lib/node_modules/@acme/sample/cli.js`]: program('#!/usr/bin/env node\n'),
    [`${folder}/lib/node_modules/@acme/sample/package.json`]: packageJson('@acme/sample', version),
  };
}

const MISE: Record<string, Item> = {
  'usr/bin/mise': program('\x7fELF'),
  'home/.local/share/mise/shims/turnout-sample': link('../../../../../usr/bin/mise'),
};
const installs = 'home/.local/share/mise/installs/node';

test('a mise stub is started by its own name, and the one installed copy tells the version', () =>
  withMachine({ ...MISE, ...install(`${installs}/22.1.0`, '1.2.3') }, async (m) => {
    const places = m.places();
    const located = await found(places);
    assert.is(located.real, m.at('usr/bin/mise'));
    assert.match(located.notes.join('\n'), 'a stub of mise');
    const started = await toProgram(sample(), located, places);
    assert.is(started.path, m.at('home/.local/share/mise/shims/turnout-sample'));
    assert.is(started.version, '1.2.3');
  }));

test('alias folders of mise are not counted as copies of their own', () =>
  withMachine({ ...MISE, ...install(`${installs}/22.1.0`, '1.2.3'), [`${installs}/22`]: link('22.1.0') }, async (m) => {
    const read = await readVersion(sample(), await found(m.places()), m.places());
    assert.equal([read.version, read.source], ['1.2.3', 'package.json']);
  }));

test('with two versions installed the files do not tell which one would run', () =>
  withMachine(
    { ...MISE, ...install(`${installs}/22.1.0`, '1.2.3'), ...install(`${installs}/20.0.0`, '1.0.0') },
    async (m) => {
      const read = await readVersion(sample(), await found(m.places()), m.places());
      assert.equal([read.version, read.source], [null, 'not-probed']);
      assert.match(read.notes.join('\n'), /several versions installed: 1\.2\.3, 1\.0\.0/);
    },
  ));

test('a stub without an installed program loses against a real one', () =>
  withMachine({ ...MISE, 'late/turnout-sample': program() }, async (m) => {
    const env = { PATH: `${m.at('home/.local/share/mise/shims')}:${m.at('late')}` };
    const located = await found(m.places({ env }));
    assert.is(located.found, m.at('late/turnout-sample'));
    assert.match(located.notes.join('\n'), 'a stub of mise without an installed program');
  }));

test('a stub without an installed program is still taken when there is nothing else', () =>
  withMachine(MISE, async (m) => {
    const read = await readVersion(sample(), await found(m.places()), m.places());
    assert.equal([read.version, read.source], [null, 'not-probed']);
  }));

const OTHERS: readonly [manager: string, items: Record<string, Item>][] = [
  [
    'asdf',
    {
      'home/.asdf/shims/turnout-sample': program('#!/usr/bin/env bash\nexec asdf exec "turnout-sample" "$@"\n'),
      ...install('home/.asdf/installs/nodejs/20.0.0', '2.0.0'),
    },
  ],
  [
    'volta',
    {
      'home/.volta/bin/turnout-sample': program('\x7fELF'),
      ...install('home/.volta/tools/image/packages/@acme/sample', '2.0.0'),
    },
  ],
  [
    'nodenv',
    {
      'home/.nodenv/shims/turnout-sample': program('#!/usr/bin/env bash\n'),
      ...install('home/.nodenv/versions/20.0.0', '2.0.0'),
    },
  ],
];

for (const [manager, items] of OTHERS) {
  test(`a stub of ${manager} is named, and its installed copy tells the version`, () =>
    withMachine(items, async (m) => {
      const located = await found(m.places());
      assert.match(located.notes.join('\n'), `a stub of ${manager}`);
      const read = await readVersion(sample(), located, m.places());
      assert.equal([read.version, read.source], ['2.0.0', 'package.json']);
    }));
}

test('a program that is no stub is not called one', () =>
  withMachine({ 'home/.local/bin/turnout-sample': program() }, async (m) => {
    assert.equal((await found(m.places())).notes, []);
  }));

test.run();
