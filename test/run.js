// Runs the tests: every test file is bundled by itself and runs in a process of its own, two at a time.
// usage: node test/run.js [file or folder…]   (default: everything under test/ but test/lab and test/windows)
//
// uvu alone would pass a file that forgot `.run()`, skip silently on `.only` and wait forever for a hanging test;
// all three are failures here. A file may ask for more than 60 s with a first line `// limit: 120s`. A test that can't
// run on this machine prints a line `SKIPPED: reason` and returns: it is counted as skipped, not as passed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import pLimit from 'p-limit';
import { writeLists } from '../scripts/registry.mjs';
import { bundle, complaint, judge, limitOf, root, testFiles } from './one-file.js';

const KEEP = 256 * 1024;

const running = new Set();

/** Ends a test with everything it started in its process group. */
function end(child) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function execute(script, limit) {
  // Most tests start programs that write where they like; those of the confinement ask for it.
  const env = { TURNOUT_CONFINE: 'none', ...process.env, TURNOUT_ROOT: root };
  // Costs every Node process 50 ms at its start, and tests start hundreds.
  delete env.NODE_EXTRA_CA_CERTS;
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--enable-source-maps', script], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    running.add(child);
    let output = '';
    let late = false;
    const keep = (text) => {
      output += text;
      if (output.length > 2 * KEEP) output = `…\n${output.slice(-KEEP)}`;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(() => {
      late = true;
      end(child);
    }, limit);
    child.on('error', (error) => keep(String(error)));
    // A stray grandchild may hold the pipes after the exit; the group goes first, so that `close` comes.
    child.on('exit', () => end(child));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      done({ code, signal, output, late });
    });
  });
}

async function runFile(file) {
  const source = readFileSync(file, 'utf8');
  const wrong = complaint(source);
  if (wrong) return { passed: 0, failed: 1, skipped: 0, skips: [], problem: wrong, output: '' };
  const limit = limitOf(source);
  let script;
  try {
    script = await bundle(file);
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, skips: [], problem: 'does not build', output: error.message };
  }
  const ran = await execute(script, limit);
  return { ...judge(ran, limit), output: ran.output };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) end(child);
    process.exit(130);
  });
}

const asked = process.argv.slice(2);
const testFolder = join(root, 'test');
let files;
try {
  const skip = asked.length ? [] : ['lab', 'windows'].map((name) => join(testFolder, name));
  files = (asked.length ? asked : [testFolder]).flatMap((path) => testFiles(resolve(path), skip));
} catch (error) {
  console.log(`${error.message}\n0 passed, 1 failed, 0 skipped`);
  process.exit(1);
}

writeLists();
const sum = { passed: 0, failed: 0, skipped: 0 };
const limit = pLimit(2);
await Promise.all(
  files.map((file) =>
    limit(async () => {
      const began = Date.now();
      const result = await runFile(file);
      sum.passed += result.passed;
      sum.failed += result.failed;
      sum.skipped += result.skipped;
      const name = relative(root, file);
      const took = `${((Date.now() - began) / 1000).toFixed(1)} s`;
      if (result.problem) console.log(`FAIL ${name}: ${result.problem} (${took})\n${result.output.trimEnd()}\n`);
      else console.log(`ok   ${name}: ${result.passed} passed (${took})`);
      if (!result.problem) for (const line of result.skips) console.log(`     ${line}`);
    }),
  ),
);
if (files.length === 0) {
  console.log('no test file found');
  sum.failed += 1;
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed > 0 ? 1 : 0;
