import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { literal } from '../../scripts/deferred-runners.mjs';
import { lazyBuiltins } from '../../scripts/lazy-builtins.mjs';
import { refuseHeavy } from '../../scripts/lazy-libraries.mjs';

const test = suite('what the build does to main.cjs');

const bundle = (contents: string) =>
  build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    platform: 'node',
    logLevel: 'silent',
    plugins: [lazyBuiltins],
  });

test('a function of a lazy module is bundled', async () => {
  const { outputFiles } = await bundle("import { randomUUID } from 'node:crypto'; console.log(randomUUID());");
  assert.match(outputFiles[0]?.text ?? '', /getBuiltinModule\("node:crypto"\)/);
});

for (const [name, module] of [
  ['Serializer', 'node:v8'],
  ['Hash', 'node:crypto'],
  ['constants', 'node:crypto'],
]) {
  test(`${name} of ${module} is not a function to call, so its import fails the build`, async () => {
    try {
      await bundle(`import { ${name} } from '${module}'; console.log(new ${name}());`);
      assert.unreachable('it was bundled');
    } catch (error) {
      assert.match(String(error), /No matching export/);
    }
  });
}

test('data, patterns and functions of a runner have a literal', () => {
  const value = { a: [1, 'x', null, true], b: /é/u, c: () => 1, d: undefined };
  assert.is(literal(value, 'r'), '{"a": [1, "x", null, true], "b": /\\u00e9/u, "c": (...given) => r.c(...given)}');
});

for (const [what, value] of [
  ['a Set', new Set(['a'])],
  ['a Map', new Map()],
  ['a Date', new Date(0)],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['NaN', Number.NaN],
  ['undefined in a list', [undefined]],
] as const) {
  test(`${what} has no literal: the error names the field`, () => {
    assert.throws(() => literal({ field: value }, 'runner'), /runner\.field.* is not plain data/);
  });
}

test('main.cjs may hold neither a runner nor a lazy library', () => {
  const holding = (...paths: string[]) => ({
    inputs: Object.fromEntries(paths.map((path) => [path, { bytes: 1, imports: [] }])),
    outputs: {},
  });
  refuseHeavy(holding('src/main.ts', 'node_modules/which/lib/index.js'));
  assert.throws(() => refuseHeavy(holding('src/main.ts', 'runners/claude/index.ts')), /runners\/claude/);
  assert.throws(() => refuseHeavy(holding('node_modules/execa/index.js')), /execa/);
});

test.run();
