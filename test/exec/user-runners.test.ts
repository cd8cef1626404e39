import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { configuredRunners } from '../../src/exec/user-runners.js';
import { scratch } from '../contract/scratch.js';
import { toyModule } from '../registry/toy.js';

test('a host gets the runners of the configuration when it asks for them, and hears of those left out', async () => {
  const root = scratch('user-runners');
  mkdirSync(join(root, 'turnout'));
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'turnout', 'config.json'), '{"runners":["./toy.mjs"]}');
  writeFileSync(join(root, 'turnout', 'toy.mjs'), toyModule());
  writeFileSync(join(root, 'project', 'turnout.config.json'), '{"runners":["./own.mjs"]}');
  process.env['XDG_CONFIG_HOME'] = root;
  const found = await configuredRunners({ cwd: join(root, 'project') });
  assert.equal(
    [found.runners.map(({ id }) => id), found.broken.map(({ runner, code }) => [runner, code])],
    [['toy'], [['./own.mjs', 'untrusted']]],
  );
  process.env['XDG_CONFIG_HOME'] = join(root, 'nothing');
  assert.equal(await configuredRunners({ cwd: root }), { runners: [], broken: [] });
});

test.run();
