// limit: 300s

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';

const root = resolve(process.env['TURNOUT_ROOT'] ?? '.');
const home = mkdtempSync(join(tmpdir(), 'turnout-examples-'));
const turnout = join(root, 'bin', 'turnout.js');
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TURNOUT: `${process.execPath} ${turnout}`,
  TURNOUT_BIN: turnout,
  // What `go run` builds is kept between runs.
  GOCACHE: process.env['GOCACHE'] ?? join(root, '.build', 'go-cache'),
  GOFLAGS: '-mod=mod',
};
const run = (program: readonly string[], file: string, ...args: string[]) => {
  const [command = '', ...first] = program;
  const script = file.endsWith('.go') ? [] : [join(root, 'examples', file)];
  return runProgram(command, [...first, ...script, ...args], { env, cwd: root });
};
const goHost = join(home, 'host-go');

const HOSTS: readonly [string, readonly string[], readonly string[]][] = [
  ['host.mjs', [process.execPath], []],
  ['client.mjs', [process.execPath], []],
  ['host.py', ['python3'], []],
  ['host.go', [goHost], ['go']],
  ['host.sh', ['bash'], ['jq']],
];

for (const [file, program, needs] of HOSTS) {
  const needed = program[0] === goHost ? needs : [program[0] ?? '', ...needs];
  const missing = needed.find((name) => runProgram(name, ['--help']).error);
  if (missing !== undefined) {
    console.log(`SKIPPED: ${file}, since ${missing} is not here`);
    continue;
  }
  if (file === 'host.go') {
    test('host.go compiles', () => {
      const built = runProgram('go', ['build', '-o', goHost, join(root, 'examples', file)], { env });
      assert.is(built.status, 0, built.stderr);
    });
  }
  test(`${file} runs a tool for the agent`, () => {
    const ran = run(program, file, 'demo', 'tool add {"a":2,"b":3}');
    assert.is(ran.stdout.trim(), 'add answered: 5', ran.stderr);
    assert.is(ran.status, 0);
  });
  test(`${file} ends with the exit code of the turn`, () => {
    const failed = run(program, file, 'demo', 'auth');
    assert.is(failed.status, 1);
    assert.match(failed.stderr, 'auth: ');
  });
}

for (const [file, program] of HOSTS.filter(([name]) => name === 'host.mjs' || name === 'host.py')) {
  test(`${file} tells the agent about its own failure`, () => {
    assert.match(run(program, file, 'demo', 'tool add {"a":2,"b":{}}').stdout, 'ERROR: invalid arguments');
  });
}

test('the step for GitHub Actions writes a summary and an output, and fails with the turn', () => {
  if (runProgram('jq', ['--help']).error) return console.log('SKIPPED: jq is not here');
  const text = readFileSync(join(root, 'examples', 'github-actions.yml'), 'utf8');
  const block = /id: agent\n +run: \|\n((?: {10}.*\n?)+)/.exec(text)?.[1]?.replace(/^ {10}/gm, '') ?? '';
  assert.match(block, 'turnout agent exec');
  mkdirSync(join(home, 'bin'));
  symlinkSync(turnout, join(home, 'bin', 'turnout'));
  const files = { GITHUB_STEP_SUMMARY: join(home, 'summary'), GITHUB_OUTPUT: join(home, 'output') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const PATH = [join(home, 'bin'), dirname(process.execPath), env.PATH].join(delimiter);
  const step = (runtime: string, script = block) =>
    runProgram('bash', ['-e', '-c', script], {
      cwd: home,
      env: { ...env, ...files, PATH, RUNTIME: runtime },
    });
  const good = step('demo');
  assert.is(good.status, 0, good.stderr);
  assert.match(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), 'You said: What does the last commit change');
  assert.match(readFileSync(files.GITHUB_OUTPUT, 'utf8'), /^cost=0\.\d+\n$/);
  const bad = step('nobody');
  assert.is(bad.status, 2);
  assert.match(bad.stdout, '::error::no-runner');
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
