// limit: 180s
/** Every command of docs/writing-a-runner.md, in order, as a reader would type them. */

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { scratch } from '../contract/scratch.js';
import { runProgram } from '../run-program.js';
import { documents, root, shellBlocks } from './documents.js';

const NAME = 'docs/writing-a-runner.md';
const text = readFileSync(join(root, NAME), 'utf8');

test('the commands run as they stand', () => {
  if (process.platform === 'win32') return console.log('SKIPPED: needs a shell');
  const blocks = documents()
    .filter(({ name }) => name === NAME)
    .flatMap(shellBlocks);
  assert.ok(blocks.length >= 5);
  const folder = scratch('writing');
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'home'));
  symlinkSync(join(root, 'bin', 'turnout.js'), join(folder, 'bin', 'turnout'));
  const env = {
    PATH: [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: join(folder, 'home'),
    CLONE: root,
    TURNOUT_BIN: join(root, 'bin', 'turnout.js'),
    LC_ALL: 'C.UTF-8',
  };
  const script = blocks.map((block) => block.script).join('\n');
  const ran = runProgram('bash', ['-exuo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
  });
  assert.is(ran.status, 0, `${ran.stdout}\n${ran.stderr}`);
});

test('everything it says the package exports is there', async () => {
  const index = readFileSync(join(root, 'src', 'index.ts'), 'utf8');
  for (const name of ['acpAgent', 'plainText', 'withPromptTools', 'promptToolsRequest', 'configuredRunners'])
    assert.match(text, new RegExp(`\`${name}(\\(\\))?\``), name);
  const library: object = await import(new URL(`file://${join(root, 'dist', 'index.js')}`).href);
  for (const name of [
    'acpAgent',
    'plainText',
    'withPromptTools',
    'promptToolsRequest',
    'configuredRunners',
    'loadRunner',
    'RunnerFault',
  ])
    assert.type(Reflect.get(library, name), 'function', name);
  for (const name of ['Action', 'Heard', 'Conversation', 'Machine', 'TurnRequest', 'Runner', 'Invocation', 'Refusal'])
    assert.match(index, new RegExp(`^(?:export .*| +)\\b${name}\\b`, 'm'), name);
});

test('every reason for leaving one out is explained', async () => {
  const { BROKEN_RUNNER_CODES } = await import('../../src/contract/scan.js');
  for (const code of BROKEN_RUNNER_CODES) assert.match(text, `| \`${code}\` |`);
});

test.run();
