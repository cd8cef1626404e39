// limit: 120s
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrokenRunner } from '../../src/contract/scan.js';
import { type Configured, configuredRunners } from '../../src/registry/configured.js';
import { runners as builtin } from '../../src/registry/registry.js';
import { checker, readSchema } from '../contract/schema-files.js';
import { scratch } from '../contract/scratch.js';
import { toyModule } from './toy.js';

/** Files below `config/turnout`, `home` and `project`. */
async function look(files: Readonly<Record<string, string>>, cwd = 'project'): Promise<Configured & { root: string }> {
  const root = scratch('configured');
  for (const folder of ['home', 'project', 'config/turnout']) mkdirSync(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text.replaceAll('ROOT', root));
  }
  const env = { XDG_CONFIG_HOME: join(root, 'config') };
  const places = { env, home: join(root, 'home'), platform: process.platform, cwd: join(root, cwd) };
  return { ...(await configuredRunners(places, builtin)), root };
}

const USER = 'config/turnout/config.json';
const PROJECT = 'project/turnout.config.json';
const ids = (found: Configured) => found.runners.map(({ id }) => id);
const codes = (found: Configured) => found.broken.map(({ runner, code }) => [runner, code]);
const reason = (found: Configured, code: BrokenRunner['code']) =>
  found.broken.find((one) => one.code === code)?.reason ?? '';
const toy = (id: string) => toyModule({ id: `'${id}'` });

test('no files name no runners', async () => {
  const found = await look({});
  assert.equal([found.runners, found.broken], [[], []]);
});

test('paths are relative to the file, from home or absolute; packages are looked up from its folder', async () => {
  const found = await look({
    [USER]: JSON.stringify({
      runners: ['./one.mjs', '~/two.mjs', 'ROOT/three.mjs', 'plain', '@me/toy', '@me/toy/sub'],
    }),
    'config/turnout/one.mjs': toy('one'),
    'home/two.mjs': toy('two'),
    'three.mjs': toy('three'),
    'config/turnout/node_modules/plain/package.json': '{"main":"./lib","type":"module"}',
    'config/turnout/node_modules/plain/lib/index.js': toy('plain'),
    'config/node_modules/@me/toy/package.json': JSON.stringify({
      exports: {
        '.': { types: './x.d.ts', require: './x.cjs', import: { default: './esm.mjs' } },
        './sub': './sub.mjs',
      },
    }),
    'config/node_modules/@me/toy/esm.mjs': toy('scoped-package'),
    'config/node_modules/@me/toy/sub.mjs': toy('sub'),
  });
  assert.equal(found.broken, []);
  assert.equal(ids(found), ['one', 'two', 'three', 'plain', 'scoped-package', 'sub']);
});

test('the runners of a project are code of a stranger until the user has trusted the folder', async () => {
  const files = { [PROJECT]: '{"runners":["./toy.mjs"]}', 'project/toy.mjs': toyModule({}, 'process.exit(3);') };
  const found = await look(files);
  assert.equal([ids(found), codes(found)], [[], [['./toy.mjs', 'untrusted']]]);
  assert.match(reason(found, 'untrusted'), join(found.root, USER));
  const own = await look({ ...files, [PROJECT]: '{"runners":["./toy.mjs"],"trusted_projects":["ROOT"]}' });
  assert.equal(codes(own), [['./toy.mjs', 'untrusted']], 'a project that trusts itself is not trusted');
  for (const folder of ['.', 'projec', 'project/below', 'project', '~']) {
    const near = await look({ ...files, [USER]: JSON.stringify({ trusted_projects: [folder] }) });
    assert.equal(codes(near), [['./toy.mjs', 'untrusted']], folder);
  }
});

test('a trusted folder, and what lies below it, may name runners', async () => {
  const files = { [PROJECT]: '{"runners":["./toy.mjs"]}', 'project/toy.mjs': toy('toy') };
  for (const folder of ['ROOT/project', 'ROOT', '~/../project']) {
    const found = await look({ ...files, [USER]: JSON.stringify({ trusted_projects: [folder] }) });
    assert.equal([ids(found), found.broken], [['toy'], []], folder);
  }
});

test('a link into a trusted folder leads where it leads', async () => {
  const root = scratch('linked');
  for (const folder of ['trusted', 'stranger', 'config/turnout']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'stranger/turnout.config.json'), '{"runners":["./toy.mjs"]}');
  writeFileSync(join(root, USER), JSON.stringify({ trusted_projects: [join(root, 'trusted')] }));
  symlinkSync(join(root, 'stranger'), join(root, 'trusted/link'), 'junction');
  const places = { env: { XDG_CONFIG_HOME: join(root, 'config') }, home: root, platform: process.platform };
  const found = await configuredRunners({ ...places, cwd: join(root, 'trusted/link') }, builtin);
  assert.equal(codes(found), [['./toy.mjs', 'untrusted']]);
});

test('what does not work is left out and told; the others are loaded', async () => {
  const found = await look({
    [USER]:
      '{"runners":["./throws.mjs","./shape.mjs","./missing.mjs","no-such-package","./lib.mjs","lib.mjs","./good.mjs"]}',
    'config/turnout/throws.mjs': "throw new Error('boom');",
    'config/turnout/shape.mjs': 'export default { id: "x" };',
    'config/turnout/lib.mjs': 'export const a = 1;',
    'config/turnout/good.mjs': toy('good'),
    [PROJECT]: '{"runners":',
  });
  assert.equal(ids(found), ['good']);
  assert.equal(codes(found), [
    [join(found.root, PROJECT), 'config'],
    ['./throws.mjs', 'load'],
    ['./shape.mjs', 'shape'],
    ['./missing.mjs', 'load'],
    ['no-such-package', 'load'],
    ['./lib.mjs', 'shape'],
    ['lib.mjs', 'load'],
  ]);
  assert.match(found.broken.find(({ runner }) => runner === 'lib.mjs')?.reason ?? '', 'a path begins with ./');
  assert.ok(found.broken.every(({ from }) => from.startsWith(found.root)));
});

test('a name that is taken is refused, an alias too; the same module twice is one', async () => {
  const found = await look({
    [USER]: '{"runners":["./claude.mjs","./alias.mjs","./toy.mjs","./again.mjs","./toy.mjs"]}',
    'config/turnout/claude.mjs': toy('claude'),
    'config/turnout/alias.mjs': toyModule({ id: "'mine'", aliases: "['kimicode']" }),
    'config/turnout/toy.mjs': toy('toy'),
    'config/turnout/again.mjs': toy('toy'),
  });
  assert.equal(ids(found), ['toy']);
  assert.equal(codes(found), [
    ['./claude.mjs', 'taken'],
    ['./alias.mjs', 'taken'],
    ['./again.mjs', 'taken'],
  ]);
  assert.match(reason(found, 'taken'), 'claude belongs to a built-in runtime; only --runner may replace');
  assert.match(found.broken[2]?.reason ?? '', join(found.root, 'config/turnout/toy.mjs'));
});

test('the published schema takes what we take, and nothing else', async () => {
  const check = checker(readSchema('config'));
  const good = { $schema: 'x', runtimes: ['claude'], runners: ['./a.mjs'], trusted_projects: ['~/work'] };
  assert.is(check(good), null);
  assert.is.not(check({ ...good, more: 1 }), null);
  for (const key of ['runtimes', 'runners', 'trusted_projects']) {
    for (const value of ['text', [1], [' '], {}, null]) {
      assert.is.not(check({ [key]: value }), null);
      assert.equal((await look({ [USER]: JSON.stringify({ [key]: value }) })).broken[0]?.code, 'config', key);
    }
  }
});

test.run();
