// `npm run windows`: the built program on Windows, or on the Windows build of Node under Wine.
//
//   npm run windows                     the scenarios, then the whole suite
//   npm run windows -- scenarios        the scenarios alone: what .ci/run does
//   npm run windows -- FILE|FOLDER…     these test files
//
// What fails there for a reason that is the test's or Wine's stands in expected.json: how many of a file pass, and why not
// all. A file that passes less is a failure, and so is one that passes more: its entry is to be renewed.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import pLimit from 'p-limit';
import { freshBuild } from '../../scripts/run-bundled.mjs';
import { bundle, complaint, judge, limitOf, root, testFiles } from '../one-file.js';
import { windowsMachine } from './machine.js';

const scenes = join(root, 'test', 'windows');
const nameOf = (file) => relative(root, file).split(sep).join('/');

const asked = process.argv.slice(2);
const machine = windowsMachine();
if (machine.missing !== undefined) {
  console.log(`SKIPPED: ALL OF WINDOWS: ${machine.missing}\n0 passed, 0 failed, 1 skipped`);
  process.exit(0);
}
freshBuild();

async function runFile(file) {
  const source = readFileSync(file, 'utf8');
  const wrong = complaint(source);
  if (wrong) return { passed: 0, failed: 1, skipped: 0, skips: [], problem: wrong, output: '' };
  const limit = limitOf(source);
  const script = await bundle(file, 'windows');
  const output = join(root, '.build', 'windows', 'said', nameOf(file).replaceAll('/', '_'));
  mkdirSync(join(output, '..'), { recursive: true });
  const ran = await machine.run(script, { limit, output });
  return { ...judge(ran, limit), output: ran.output };
}

/** Not run there: real browsers and programs, and what takes minutes of chaos. */
const LEFT_OUT = [
  'lab',
  'page',
  'faults/fuzz.test.ts',
  'faults/corpus.test.ts',
  'faults/chaos.test.ts',
  'serve/load.test.ts',
];
const suite = () => {
  const left = [...LEFT_OUT, 'windows'].map((name) => join(root, 'test', name));
  return testFiles(join(root, 'test'), left).filter((file) => !left.includes(file));
};
const files =
  asked.length === 0
    ? [...testFiles(scenes), ...suite()]
    : asked.flatMap((path) => (path === 'scenarios' ? testFiles(scenes) : testFiles(resolve(path))));

const expected = JSON.parse(readFileSync(join(scenes, 'expected.json'), 'utf8'));

/** What a file with an entry may be judged by: exactly what the entry says. */
function asExpected(name, result) {
  const entry = expected[name];
  if (entry === undefined) return result;
  const { passed, why } = entry;
  if (result.passed !== passed)
    return {
      ...result,
      failed: Math.max(1, result.failed),
      problem: `${result.passed} passed; expected.json says ${passed}`,
    };
  return {
    ...result,
    failed: 0,
    skipped: result.skipped + result.failed,
    skips: [...result.skips, `EXPECTED: ${why}`],
    problem: null,
  };
}

const sum = { passed: 0, failed: 0, skipped: 0 };
const two = pLimit(2);
await Promise.all(
  files.map((file) =>
    two(async () => {
      const began = Date.now();
      const result = asExpected(nameOf(file), await runFile(file));
      for (const key of Object.keys(sum)) sum[key] += result[key];
      const took = `${((Date.now() - began) / 1000).toFixed(1)} s`;
      if (result.problem)
        console.log(`FAIL ${nameOf(file)}: ${result.problem} (${took})\n${result.output.trimEnd()}\n`);
      else console.log(`ok   ${nameOf(file)}: ${result.passed} passed (${took})`);
      for (const line of result.skips) console.log(`     ${line}`);
    }),
  ),
);
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed > 0 ? 1 : 0;
