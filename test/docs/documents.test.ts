import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { EXEC_FLAGS } from '../../src/request/exec-flags.js';
import { runProgram } from '../run-program.js';
import { documents, root, shellBlocks } from './documents.js';

const blocks = documents().flatMap(shellBlocks);

/** Runs a block as a reader would: in a folder of their own, with turnout on the PATH. */
function runBlock(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  try {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'home'));
    symlinkSync(join(root, 'bin', 'turnout.js'), join(folder, 'bin', 'turnout'));
    const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    return runProgram('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, PATH, HOME: join(folder, 'home') },
      timeout: 120_000,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const block of blocks.filter((one) => one.run)) {
  test(`${block.document}: ${block.script.split('\n')[0]}`, () => {
    const ran = runBlock(block.script);
    assert.is(ran.status, 0, `${block.script}\n${ran.stdout}\n${ran.stderr}`);
    assert.not.match(ran.stdout, /"type":"error"/);
  });
}

test('the README has blocks that are run', () => {
  assert.ok(blocks.some((block) => block.document === 'README.md' && block.run));
});

/** The events of a text, without what differs from run to run. */
function events(text: string): unknown[] {
  // What keeps a mode depends on the machine: bubblewrap is on some.
  const machine = ['confinement', 'native_sandbox'];
  const volatile = new Set(['pid', 'child_pid', 'cwd', 'session_id', 'duration_ms', 'runtime_version', ...machine]);
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"v":1'))
    .map((line) => JSON.parse(line, (key, value) => (volatile.has(key) ? undefined : value)));
}

test('the README shows what `npm start` prints', () => {
  const readme = documents().find(({ name }) => name === 'README.md')?.text ?? '';
  const shown = /```console\n\$ npm start\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
  const { stdout } = runBlock('turnout agent exec --runtime demo --prompt hello');
  assert.equal(events(shown), events(stdout));
});

test('every flag of exec that a document shows exists', () => {
  const known = new Set([...Object.keys(EXEC_FLAGS), 'help']);
  const unknown = blocks.flatMap(({ document, script }) =>
    script
      .replace(/\\\n/g, ' ')
      .split('\n')
      .filter((line) => line.includes('turnout agent exec'))
      .flatMap((line) => [...line.replace(/'[^']*'|"[^"]*"|#.*$/g, '').matchAll(/\s--([a-z-]+)/g)])
      .map((found) => found[1] ?? '')
      .filter((flag) => !known.has(flag))
      .map((flag) => `${document}: --${flag}`),
  );
  assert.equal(unknown, []);
});

test('links within the project lead somewhere', () => {
  const dead = documents().flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map((found) => found[1] ?? '')
      .filter((target) => !existsSync(join(root, dirname(name), target)))
      .map((target) => `${name}: ${target}`),
  );
  assert.equal(dead, []);
});

test('npm scripts that a document names exist', async () => {
  const { default: pkg } = await import('../../package.json', { with: { type: 'json' } });
  const scripts: Record<string, string> = pkg.scripts;
  const missing = documents().flatMap(({ name, text }) =>
    [...text.matchAll(/npm run ([a-z-]+)/g)]
      .map((found) => found[1] ?? '')
      .filter((script) => !(script in scripts))
      .map((script) => `${name}: ${script}`),
  );
  assert.equal(missing, []);
});

for (const script of ['readme-table.mjs', 'runners-page.mjs']) {
  test(`what ${script} writes is up to date`, () => {
    const ran = runProgram(process.execPath, [join(root, 'scripts', script), '--check'], {});
    assert.is(ran.status, 0, ran.stderr);
  });
}

test.run();
