import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check, Doctor } from '../../src/contract/doctor.js';
import { CHECK_STATUSES } from '../../src/contract/doctor.js';
import { type DoctorOptions, doctor } from '../../src/inspect/doctor/doctor.js';
import { doctorTable } from '../../src/output/doctor-table.js';
import type { Runner } from '../../src/runner/runner.js';
import { place, run } from '../contract/cli.js';
import { link, type Machine, packageJson, plain, program, sample, withMachine } from '../discovery/lay-out.js';

const KEY = 'sk-acme-0123456789abcdef';
const runner = (changes: Partial<Runner> = {}) =>
  sample({
    keys: ['SAMPLE_API_KEY'],
    loginTraces: ['~/.sample/login.json'],
    configFiles: ['~/.sample/config.json'],
    ...changes,
  });
const INSTALLED = {
  'bin/turnout-sample': link('../lib/node_modules/@acme/sample/cli.js'),
  'lib/node_modules/@acme/sample/cli.js': program('#!/bin/sh\ntouch "$(dirname "$0")/ran"\n'),
  'lib/node_modules/@acme/sample/package.json': packageJson('@acme/sample', '1.2.3'),
};

function look(
  m: Machine,
  env: NodeJS.ProcessEnv = {},
  more: Partial<DoctorOptions> = {},
  one = runner(),
): Promise<Doctor> {
  const places = m.places({ env: { PATH: m.at('bin'), TMPDIR: m.root, ...env } });
  return doctor([one], { places, version: '1.0.0', fix: false, uid: 1000, ...more });
}

const find = (report: Doctor, name: string): Check => {
  const found = report.results.find((check) => check.name === name);
  if (!found) throw new Error(`there is no check ${name}: ${JSON.stringify(report.results)}`);
  return found;
};

test('a healthy machine passes', () =>
  withMachine(
    { ...INSTALLED, 'home/.sample/login.json': plain('{}'), 'home/.sample/config.json': plain('{"a":1}') },
    async (m) => {
      const report = await look(m);
      assert.ok(report.success);
      assert.is(report.summary.failed, 0);
      assert.equal([report.v, report.read_only, report.offline, report.error], [1, true, true, null]);
      assert.match(find(report, 'program').message, `${m.at('bin/turnout-sample')} → ${m.at('lib')}`);
      assert.match(find(report, 'program').message, 'on PATH, from the package @acme/sample');
      for (const name of ['node', 'path', 'nesting', 'root', 'version', 'login', 'temporary folder'])
        assert.is(find(report, name).status, 'pass', name);
      assert.is(
        report.results.length,
        CHECK_STATUSES.reduce((sum, status) => sum + report.results.filter((one) => one.status === status).length, 0),
      );
      assert.equal(
        readdirSync(m.at('lib/node_modules/@acme/sample')).sort(),
        ['cli.js', 'package.json'],
        'nothing was started',
      );
    },
  ));

test('what would keep a turn from working fails', () =>
  withMachine({ 'project/turnout.config.json': plain('{') }, async (m) => {
    const env = { SAMPLE_CLI_BIN: '/no/such/program', TMPDIR: m.at('nowhere') };
    const report = await look(m, env, { node: '18.20.0', fix: true });
    assert.not.ok(report.success);
    for (const name of ['node', 'temporary folder', 'config', 'program'])
      assert.is(find(report, name).status, 'fail', name);
    assert.is(report.summary.failed, 4);
    assert.equal(report.fixes, [{ component: 'sample', outcome: 'not-run', command: 'unset SAMPLE_CLI_BIN' }]);
  }));

test('versions that were not tested are told, and how to get another', () =>
  withMachine(INSTALLED, async (m) => {
    assert.match(
      find(await look(m, {}, {}, runner({ testedVersions: ['1.0.0'] })), 'version').message,
      'newer than any',
    );
    const old = find(await look(m, {}, {}, runner({ testedVersions: ['2.0.0', '3.0.0'] })), 'version');
    assert.equal([old.status, old.fix, old.fix_safety], ['warn', 'npm install -g @acme/sample', 'manual']);
  }));

test('a key that is used instead of a login is pointed at, with the way around it', () =>
  withMachine({ ...INSTALLED, 'home/.sample/login.json': plain('{}') }, async (m) => {
    const credentials: Runner['credentials'] = [
      { kind: 'api_key', variable: 'SAMPLE_API_KEY' },
      { kind: 'login', file: '~/.sample/login.json' },
    ];
    const alone = find(await look(m, {}, {}, runner({ credentials })), 'login');
    assert.is(alone.status, 'pass');
    const both = await look(m, { SAMPLE_API_KEY: KEY }, {}, runner({ credentials }));
    const found = find(both, 'login');
    assert.is(found.status, 'warn');
    assert.match(found.message, /^SAMPLE_API_KEY is set and is used instead of the login in .*login\.json/);
    assert.is(found.fix, 'turnout agent exec --runtime sample --env SAMPLE_API_KEY= …');
    assert.not.match(JSON.stringify(both), KEY);
  }));

test('a login is looked for by its traces and by names of variables, never by a value', () =>
  withMachine(INSTALLED, async (m) => {
    const none = find(await look(m), 'login');
    assert.equal([none.status, none.fix], ['warn', 'turnout-sample login']);
    const report = await look(m, { SAMPLE_API_KEY: KEY, HTTPS_PROXY: `http://user:${KEY}@proxy:1` });
    assert.match(find(report, 'login').message, 'the variable SAMPLE_API_KEY');
    assert.match(find(report, 'proxy').message, 'HTTPS_PROXY');
    assert.not.match(JSON.stringify(report), KEY);
    const unknown = await look(m, {}, {}, runner({ keys: 'all', loginTraces: undefined }));
    assert.is(find(unknown, 'login').status, 'skip');
    assert.ok(find(unknown, 'login').skipped_reason);
  }));

test('a damaged configuration is told', () =>
  withMachine({ ...INSTALLED, 'home/.sample/config.json': plain('{"a":') }, async (m) => {
    const found = (await look(m)).results.find((check) => check.component === 'sample' && check.name === 'config');
    assert.equal([found?.status, found?.message], ['warn', `${m.at('home/.sample/config.json')} is no valid JSON`]);
  }));

test('PATH, certificates, root and nesting are looked at', () =>
  withMachine(INSTALLED, async (m) => {
    const env = {
      PATH: `bin:${m.at('bin')}`,
      NODE_EXTRA_CA_CERTS: '/no/such/file',
      TURNOUT_DEPTH: '2',
      SAMPLE_INSIDE: '1',
    };
    const report = await look(m, env, { uid: 0 }, runner({ nesting: ['SAMPLE_*'] }));
    assert.match(find(report, 'path').message, '"bin"');
    assert.is(find(report, 'certificates').status, 'warn');
    assert.is(find(report, 'root').status, 'warn');
    assert.match(find(report, 'nesting').message, '2 turn(s) of turnout, Sample');
    assert.ok(report.success, 'a warning is no failure');
    assert.match(find(await look(m, { PATH: '' }), 'path').message, 'desktop');
  }));

test('a link that leads back to itself is told, not followed', () =>
  withMachine({ bin: 'folder' }, async (m) => {
    symlinkSync('turnout-sample', m.at('bin/turnout-sample'));
    const found = find(await look(m), 'program');
    assert.is(found.status, 'warn');
    assert.match(found.message, 'leads back to itself');
  }));

test('one component can be asked for; one that does not exist is an error', () =>
  withMachine(INSTALLED, async (m) => {
    assert.ok((await look(m, {}, { component: 'sample' })).results.every(({ component }) => component === 'sample'));
    const unknown = await look(m, {}, { component: 'nothing' });
    assert.not.ok(unknown.success);
    assert.match(String(unknown.error), 'nothing');
  }));

test('--install lists what installs a missing program, and what contradicts itself is refused', async () => {
  const asked = async (...flags: string[]) => {
    const ended = await run(['doctor', '--json', ...flags], { stdin: 'closed' }).ended;
    return { code: ended.code, report: JSON.parse(ended.lines.join('\n')) };
  };
  const { report } = await asked('-c', 'claude', '--install', '--no-read-only');
  assert.equal(report.fixes, [
    { component: 'claude', outcome: 'not-run', command: 'npm install -g @anthropic-ai/claude-code' },
  ]);
  for (const flags of [
    ['--read-only', '--fix'],
    ['--read-only', '--install'],
    ['--offline', '--install'],
  ]) {
    const refused = await asked(...flags);
    assert.equal([refused.code, refused.report.results], [1, []]);
    assert.is(refused.report.error, `${flags[0]} contradicts ${flags[1]}`);
  }
  assert.is((await asked('-c', 'nope')).report.error, 'unknown component "nope"');
});

test('the table names commands and runs none; nothing in it can steer a terminal', () =>
  withMachine(INSTALLED, async (m) => {
    const table = doctorTable(await look(m, { NODE_EXTRA_CA_CERTS: '/tmp/\u001b[2Jx' }, { fix: true }));
    assert.match(table, 'Commands that may help (none was run):\n  turnout-sample login\n');
    assert.match(table, /WARN +sample +login/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the one that must not come
    assert.not.match(table, /\u001b/);
  }));

test('the command writes nothing, starts no runtime and exits with 1 when a check failed', async () => {
  const where = place();
  const bin = join(where.cwd, '..', 'bin');
  mkdirSync(bin);
  where.env['CLAUDE_CLI_BIN'] = '/no/such/claude';
  const ended = await run(['doctor', '--json', '--read-only', '--offline'], { place: where }).ended;
  assert.is(ended.code, 1, ended.stderr);
  assert.is(ended.lines.length, 1);
  const [report] = ended.events;
  assert.equal(
    [report?.['v'], report?.['success'], report?.['read_only'], report?.['offline']],
    [1, false, true, true],
  );
  for (const name of ['HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'TMPDIR'])
    assert.equal(readdirSync(where.env[name] ?? ''), [], name);
  assert.equal(readdirSync(where.cwd), []);
});

test.run();
