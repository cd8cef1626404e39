// limit: 120s
/** The GitHub Action: its steps, run as the runner would run them. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const action = readFileSync(join(root, 'action', 'action.yml'), 'utf8');
const home = mkdtempSync(join(tmpdir(), 'turnout-action-'));

/** The defaults that action.yml gives its inputs, by the variables in which they travel. */
const inputs = Object.fromEntries(
  [...action.matchAll(/^ {2}([a-z-]+):\n {4}description:.*\n {4}(?:default: ['"]?(.*?)['"]?|required: true)$/gm)].map(
    ([, name = '', value = '']) => [`INPUT_${name.toUpperCase().replaceAll('-', '_')}`, value],
  ),
);

function step(given: Record<string, string>) {
  const folder = mkdtempSync(join(home, 'step-'));
  const files = { GITHUB_STEP_SUMMARY: join(folder, 'summary'), GITHUB_OUTPUT: join(folder, 'output') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  mkdirSync(join(folder, 'work'));
  const [, script = ''] = /^ {6}run: (node .*)$/m.exec(action) ?? [];
  const ran = runProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: join(folder, 'work'),
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      RUNNER_TEMP: folder,
      GITHUB_ACTION_PATH: join(root, 'action'),
      TURNOUT: `${process.execPath} ${TURNOUT}`,
      TURNOUT_CONFINE: 'none',
      ...files,
      ...inputs,
      ...given,
    },
  });
  const text = readFileSync(files.GITHUB_OUTPUT, 'utf8');
  const outputs = Object.fromEntries(
    [...text.matchAll(/^([a-z-]+)<<(end_\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name = '', , value = '']) => [name, value]),
  );
  return { ...ran, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

test('every input reaches the step, and every output is one that the step writes', () => {
  const declared = [...action.matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)].map(([, name]) => name);
  const names = Object.keys(inputs).map((name) => name.replace('INPUT_', '').toLowerCase().replaceAll('_', '-'));
  assert.equal([...new Set(declared)].sort(), names.sort());
  const promised = [...action.matchAll(/steps\.turn\.outputs\.([a-z-]+)/g)].map(([, name]) => name);
  const { outputs } = step({ INPUT_RUNTIME: 'demo', INPUT_PROMPT: 'say hi' });
  assert.equal(Object.keys(outputs).sort(), promised.sort());
});

test('the answer, the cost and the session come out, and the summary has the answer', () => {
  const prompt = 'say one\ntwo $(touch made) `touch made` ${{ x }}';
  const ran = step({ INPUT_RUNTIME: 'demo', INPUT_PROMPT: prompt, INPUT_FLAGS: '--effort=low\n\n--max-turns=3' });
  assert.is(ran.status, 0, ran.stdout + ran.stderr);
  assert.match(ran.outputs['answer'] ?? '', 'two $(touch made) `touch made` ${{ x }}');
  assert.match(ran.outputs['cost-usd'] ?? '', /^0\.\d+$/);
  assert.ok((ran.outputs['session'] ?? '').length > 0);
  assert.match(ran.summary, 'one');
  assert.match(readFileSync(ran.outputs['events'] ?? '', 'utf8'), /"type":"done"/);
  assert.is(ran.stdout, '');
});

test('a failed turn fails the step, with its reason on one line and the outputs written all the same', () => {
  const failed = step({ INPUT_RUNTIME: 'demo', INPUT_PROMPT: 'auth' });
  assert.is(failed.status, 1, failed.stdout);
  assert.match(failed.stdout, /^::error title=turnout::auth: [^\n]+\n$/);
  assert.is(failed.outputs['answer'], '');
  assert.match(failed.summary, 'No answer (exit code 1).');
  const wrong = step({ INPUT_RUNTIME: 'demo', INPUT_PROMPT: 'hi', INPUT_ACCESS: 'everything' });
  assert.is(wrong.status, 2);
  assert.match(wrong.stdout, /^::error title=turnout::usage: --access/);
  const missing = step({ INPUT_RUNTIME: 'demo', INPUT_PROMPT: 'hi', TURNOUT: '/no/such/turnout' });
  assert.is(missing.status, 127);
  assert.match(missing.stdout, '::error title=turnout::failed: spawn /no/such/turnout ENOENT');
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
