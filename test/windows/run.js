// `npm run windows`: the built program on Windows, or on the Windows build of Node under Wine.
//
//   npm run windows                     the scenarios, then the whole suite, held against expected.json
//   npm run windows -- scenarios        the scenarios alone: what .ci/run does
//   npm run windows -- FILE|FOLDER…     these test files
//   npm run windows -- suite --write    the whole suite, and writes expected.json as it went
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

const files =
  asked.length === 0 || asked[0] === 'scenarios'
    ? testFiles(scenes)
    : asked.flatMap((path) => testFiles(resolve(path)));
const sum = { passed: 0, failed: 0, skipped: 0 };
const two = pLimit(2);
await Promise.all(
  files.map((file) =>
    two(async () => {
      const began = Date.now();
      const result = await runFile(file);
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
