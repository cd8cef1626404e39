import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from './run-program.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';
const head = "import { test } from 'uvu';\nimport * as assert from 'uvu/assert';\n";
const run = '\ntest.run();\n';

/** Runs the test runner on one file. */
function outcome(source: string): { code: number | null; last: string; output: string } {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build', 'runner-'));
  try {
    writeFileSync(join(folder, 'a.test.ts'), source);
    const ran = runProgram(process.execPath, [join(root, 'test', 'run.js'), folder], { cwd: root });
    return { code: ran.status, last: ran.stdout.trimEnd().split('\n').at(-1) ?? '', output: ran.stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('tests that pass are counted', () => {
  const { code, last } = outcome(`${head}test('a', () => assert.ok(true));\ntest('b', () => {});${run}`);
  assert.is(last, '2 passed, 0 failed, 0 skipped');
  assert.is(code, 0);
});

test('a failing test is a failure and its output is shown', () => {
  const { code, last, output } = outcome(`${head}test('bad', () => assert.is(1, 2));\ntest('good', () => {});${run}`);
  assert.is(last, '1 passed, 1 failed, 0 skipped');
  assert.match(output, /"bad"/);
  assert.is(code, 1);
});

test('a skip that says its reason is counted and shown', () => {
  const { code, last, output } = outcome(`${head}test('a', () => console.log('SKIPPED: no such program'));${run}`);
  assert.is(last, '0 passed, 0 failed, 1 skipped');
  assert.match(output, /^ +SKIPPED: no such program$/m);
  assert.is(code, 0);
});

for (const [name, source, reason] of [
  ['a file that forgets to run its tests', `${head}test('a', () => {});`, /never calls \.run\(\)/],
  ['a file that runs only one test', `${head}test.${'only'}('a', () => {});${run}`, /uses \.only\(/],
  ['a file without a test', `${head}${run}`, /executed no test/],
  ['a file that does not build', `import './nowhere.js';\n${head}${run}`, /does not build/],
  [
    'a test that never ends, with nothing to wait for',
    `${head}test('a', () => new Promise(() => {}));${run}`,
    /ended without a count/,
  ],
  [
    'a test that takes longer than the file’s limit',
    `// limit: 1s\n${head}test('a', () => new Promise((r) => setTimeout(r, 30_000)));${run}`,
    /killed after 1 s/,
  ],
  ['a test that ends the process', `${head}test('a', () => process.exit(0));${run}`, /ended without a count/],
] as const) {
  test(`${name} is a failure`, () => {
    const { code, last, output } = outcome(source);
    assert.is(last, '0 passed, 1 failed, 0 skipped');
    assert.match(output, reason);
    assert.is(code, 1);
  });
}

test('a path that does not exist is a failure', () => {
  const ran = runProgram(process.execPath, [join(root, 'test', 'run.js'), 'test/nowhere'], {
    cwd: root,
  });
  assert.is(ran.stdout, 'no such test: test/nowhere\n0 passed, 1 failed, 0 skipped\n');
  assert.is(ran.status, 1);
});

test.run();
