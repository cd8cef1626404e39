import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TurnoutError } from '../../src/contract/error.js';
import { locate } from '../../src/discovery/locate.js';
import { isMissing } from '../../src/discovery/located.js';
import type { Places } from '../../src/discovery/places.js';
import { install } from '../../src/inspect/install.js';
import type { Runner } from '../../src/runner/runner.js';
import { program, sample, withMachine } from '../discovery/lay-out.js';

const root = mkdtempSync(join(tmpdir(), 'install-test-'));
const made: string[] = [];
test.after(() => {
  for (const folder of made) chmodSync(folder, 0o755);
  rmSync(root, { recursive: true, force: true });
});

/** An npm that writes down its arguments and lays out the package; or fails. */
const NPM = `#!/usr/bin/env node
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
writeFileSync(process.env.NPM_LOG, JSON.stringify({ args, cwd: process.cwd() }));
if (process.env.NPM_FAILS) { console.error('npm error 404 no such version'); process.exit(1); }
const version = args.at(-1).split('@').at(-1);
mkdirSync('node_modules/.bin', { recursive: true });
mkdirSync('node_modules/@acme/sample', { recursive: true });
writeFileSync('node_modules/@acme/sample/package.json', JSON.stringify({ name: '@acme/sample', version, bin: 'cli.js' }));
writeFileSync('node_modules/@acme/sample/cli.js', '#!/bin/sh\\n', { mode: 0o755 });
symlinkSync('../@acme/sample/cli.js', 'node_modules/.bin/turnout-sample');
`;

function machine(more: NodeJS.ProcessEnv = {}): { places: Places; log: string; state: string } {
  const folder = mkdtempSync(join(root, 'm-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 });
  const log = join(folder, 'npm.json');
  const state = join(folder, 'state');
  const PATH = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const env = { PATH, XDG_STATE_HOME: state, NPM_LOG: log, ...more };
  return { places: { env, home: folder, platform: process.platform, cwd: root }, log, state };
}

const runners: Runner[] = [sample({ testedVersions: ['1.2.3', '1.10.0'] })];
const quiet = () => {};

async function refusal(wanted: string, on = machine(), known = runners): Promise<TurnoutError> {
  try {
    await install(wanted, { runners: known, places: on.places, say: quiet });
  } catch (error) {
    if (error instanceof TurnoutError) return error;
    throw error;
  }
  throw new Error('it was installed');
}

test('the newest tested version is installed, write-protected, and found before PATH', async () => {
  const { places, log, state } = machine();
  const done = await install('sample', { runners, places, say: quiet });
  made.push(done.folder);
  assert.equal([done.version, done.status], ['1.10.0', 'installed']);
  assert.is(done.folder, join(state, 'turnout', 'programs', 'sample'));
  assert.equal(JSON.parse(readFileSync(log, 'utf8')).args.slice(-2), ['--', '@acme/sample@1.10.0']);
  assert.is(statSync(done.folder).mode & 0o222, 0, 'the folder can not be written to');
  assert.is(statSync(join(done.folder, 'node_modules', '@acme', 'sample', 'cli.js')).mode & 0o222, 0);
  const onPath = join(dirname(log), 'bin', 'turnout-sample');
  writeFileSync(onPath, '#!/bin/sh\n', { mode: 0o755 });
  const located = await locate(sample(), places);
  assert.is(isMissing(located) ? null : located.found, done.binary);
});

test('a version that is there already is left alone, another one replaces it', async () => {
  const { places, log } = machine();
  const say = quiet;
  made.push((await install('sample@1.2.3', { runners, places, say })).folder);
  rmSync(log);
  assert.is((await install('sample@1.2.3', { runners, places, say })).status, 'present');
  assert.throws(() => readFileSync(log), /ENOENT/, 'npm was not asked again');
  const next = await install('sample@2.0.0', { runners, places, say });
  assert.equal([next.version, next.status], ['2.0.0', 'installed']);
});

test('what npm could take for a path, a flag or a URL is not a version', async () => {
  for (const version of ['', 'latest', '../x', '-g', 'git+ssh://h/x', '1.2.3 --global', '1.2.3;x']) {
    const error = await refusal(`sample@${version}`);
    assert.is(error.code, 'usage', version);
    assert.match(error.message, /not a version/);
  }
});

test('an unknown runtime is a usage error that names a near one', async () => {
  const error = await refusal('sampel');
  assert.is(error.code, 'usage');
  assert.match(error.message, 'no runtime called sampel; did you mean sample?');
});

test('a program that npm does not install is refused with the command that does', async () => {
  const manual = [sample({ install: { kind: 'manual' }, installHint: 'pipx install sample' })];
  const error = await refusal('sample', machine(), manual);
  assert.equal([error.code, error.hint], ['unsupported', 'pipx install sample']);
});

test('a failure of npm is reported in its own words, and nothing is left behind', async () => {
  const on = machine({ NPM_FAILS: '1' });
  const error = await refusal('sample', on);
  assert.is(error.code, 'runner-error');
  assert.match(error.message, /404 no such version/);
  assert.ok(isMissing(await locate(sample(), on.places)));
});

test('without npm the error says what is missing', async () => {
  const on = machine();
  const places = { ...on.places, env: { ...on.places.env, PATH: join(root, 'nothing') } };
  const error = await refusal('sample', { ...on, places });
  assert.is(error.code, 'missing-binary');
  assert.match(error.message, /npm could not be started/);
});

test('an override variable wins over the private folder', () =>
  withMachine({ 'own/turnout-sample': program() }, async (m) => {
    const { places } = machine({ SAMPLE_CLI_BIN: m.at('own', 'turnout-sample') });
    made.push((await install('sample', { runners, places, say: quiet })).folder);
    const located = await locate(sample(), places);
    assert.is(isMissing(located) ? null : located.found, m.at('own', 'turnout-sample'));
  }));

test.run();
