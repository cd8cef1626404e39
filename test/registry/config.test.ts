import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { UsageError } from '../../src/contract/error.js';
import { preferredRuntimes, readConfig, userConfigPath } from '../../src/registry/config.js';
import { runProgram } from '../run-program.js';

interface Given {
  user?: string;
  project?: string;
}

async function withFiles(
  given: Given,
  run: (places: Parameters<typeof readConfig>[0]) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'config-test-'));
  const places = {
    env: {},
    home: path.join(root, 'home'),
    platform: 'linux',
    cwd: path.join(root, 'project'),
  } as const;
  try {
    await mkdir(places.cwd);
    if (given.user !== undefined) {
      await mkdir(path.dirname(userConfigPath(places)), { recursive: true });
      await writeFile(userConfigPath(places), given.user);
    }
    if (given.project !== undefined) await writeFile(path.join(places.cwd, 'turnout.config.json'), given.project);
    await run(places);
  } finally {
    await rm(root, { recursive: true });
  }
}

test('no files say nothing', () =>
  withFiles({}, async (places) => assert.equal(await readConfig(places), { runtimes: [], values: {}, files: [] })));

test("the project's keys win over the user's; keys nobody knows are kept", () =>
  withFiles(
    {
      user: '\uFEFF{"runtimes":["claude"],"user":1,"both":"user"}',
      project: '{"runtimes":["codex","pi"],"both":"project"}',
    },
    async (places) => {
      const config = await readConfig(places);
      assert.equal(config.runtimes, ['codex', 'pi']);
      assert.equal(config.values, { runtimes: ['codex', 'pi'], user: 1, both: 'project' });
      assert.is(config.files.length, 2);
      assert.equal(await preferredRuntimes(places), ['codex', 'pi']);
    },
  ));

test('where the user keeps it: XDG_CONFIG_HOME when absolute, ~/.config, APPDATA on Windows', () => {
  const base = { home: '/home/u', platform: 'linux', cwd: '/' } as const;
  assert.is(userConfigPath({ ...base, env: { XDG_CONFIG_HOME: '/xdg' } }), '/xdg/turnout/config.json');
  assert.is(userConfigPath({ ...base, env: { XDG_CONFIG_HOME: 'rel' } }), '/home/u/.config/turnout/config.json');
  assert.is(userConfigPath({ ...base, env: {} }), '/home/u/.config/turnout/config.json');
  assert.is(
    userConfigPath({ ...base, platform: 'win32', env: { APPDATA: '/roaming' } }),
    '/roaming/turnout/config.json',
  );
});

const BAD: readonly [title: string, text: string, says: RegExp][] = [
  ['broken JSON', '{"runtimes":', /is not valid JSON/],
  ['no object', '["claude"]', /must hold a JSON object/],
  ['runtimes that are no list', '{"runtimes":"claude"}', /must be a list/],
  ['runtimes that are no names', '{"runtimes":["claude",1]}', /must be a list/],
];

for (const [title, text, says] of BAD) {
  test(`a usage error that names the file: ${title}`, () =>
    withFiles({ project: text }, async (places) => {
      try {
        await readConfig(places);
        assert.unreachable();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        assert.match(error.message, path.join(places.cwd, 'turnout.config.json'));
        assert.match(error.message, says);
      }
    }));
}

test('a file that can not be read is a usage error too, even where the other file is fine', () =>
  withFiles({ user: '{}' }, async (places) => {
    await mkdir(path.join(places.cwd, 'turnout.config.json'));
    try {
      await readConfig(places);
      assert.unreachable();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      assert.match(error.message, /can't be read \(EISDIR\)/);
    }
  }));

test('a pipe in the place of a file is refused, and not waited for', () =>
  withFiles({ user: '{}' }, async (places) => {
    if (process.platform === 'win32') return console.log('SKIPPED: needs mkfifo');
    runProgram('mkfifo', [path.join(places.cwd, 'turnout.config.json')], {});
    try {
      await readConfig(places);
      assert.unreachable();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      assert.match(error.message, /turnout.config.json is not a file/);
    }
  }));

test.run();
