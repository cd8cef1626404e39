/** Started under the name of the original, turnout answers as its hosts expect; under its own name nothing changes. */

import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import pkg from '../../package.json' with { type: 'json' };
import { linkPersona } from '../../src/commands/persona-link.js';
import { CAPABILITIES, COMPATIBLE_VERSION } from '../../src/contract/handshake.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { place, TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';

const where = place();
const bin = join(where.cwd, '..', 'bin');
const call = (program: string, ...args: string[]) =>
  runProgram(program, args, { cwd: where.cwd, env: where.env, timeout: 60_000 });
const own = (...args: string[]) => call(process.execPath, TURNOUT, ...args);
const monomind = (...args: string[]) => call(join(bin, 'monomind'), ...args);
const events = (stdout: string): JsonObject[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const agent = (stdout: string, id: string) =>
  (JSON.parse(stdout) as { agents: JsonObject[] }).agents.find((one) => one['id'] === id);
const exec = ['agent', 'exec', '--runtime', 'demo', '--prompt', 'hi', '--tools', 'none'];

const installed = own('persona', 'install', 'monomind', bin);

test('persona install makes a link and says when its folder is not on the PATH', () => {
  assert.is(installed.status, 0, installed.stderr);
  assert.is(installed.stdout, `${join(bin, 'monomind')} is now turnout\n${bin} is not on the PATH\n`);
  assert.is(realpathSync(join(bin, 'monomind')), realpathSync(TURNOUT));
  assert.match(own('persona', 'install', 'monomind', bin).stdout, /is turnout already/);
});

test('persona install leaves a program of others alone, and knows its names', () => {
  const other = join(where.cwd, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'monomind'), 'theirs');
  const refused = own('persona', 'install', 'monomind', other);
  assert.is(refused.status, 2);
  assert.match(refused.stderr, /exists and is not ours/);
  assert.is(readFileSync(join(other, 'monomind'), 'utf8'), 'theirs');
  assert.is(own('persona', 'install', 'monamind', other).status, 2);
});

test('the handshake reports the compatible version, and ours beside it', () => {
  const told = JSON.parse(monomind('--version', '--json').stdout);
  assert.is(told.version, COMPATIBLE_VERSION);
  assert.is(told.name, 'turnout');
  assert.is(told.product_version, pkg.version);
  assert.is(told.v, 1);
  assert.equal(told.capabilities, CAPABILITIES);
  assert.is(monomind('--version').stdout, `${COMPATIBLE_VERSION} (turnout ${pkg.version})\n`);
});

test('under our own name the handshake has our version alone', () => {
  const told = JSON.parse(own('--version', '--json').stdout);
  assert.is(told.version, pkg.version);
  assert.not.ok('product_version' in told);
  assert.is(own('--version').stdout, `${pkg.version}\n`);
});

test('a scoped turn of a runtime that we decide for has no native tool, and says so in their word', () => {
  const [start] = events(monomind(...exec).stdout);
  assert.equal([start?.['access'], start?.['native_sandbox'], start?.['approvals']], ['scoped', 'monomind', 'n/a']);
  const [ours] = events(own(...exec).stdout);
  assert.equal([ours?.['access'], ours?.['native_sandbox']], ['scoped', 'turnout']);
});

test('what a caller asks for beyond it is not taken away', () => {
  const [read] = events(monomind(...exec, '--access', 'read').stdout);
  assert.equal([read?.['access'], read?.['native_sandbox']], ['read', 'restricted']);
  const [prefix] = events(monomind(...exec, '--allow-bash-prefix', 'git log').stdout);
  assert.equal([prefix?.['access'], prefix?.['native_sandbox']], ['scoped', 'restricted']);
});

test('scan has an entry for each name of a runtime, in words that a host of the original knows', () => {
  const { stdout } = monomind('agent', 'scan', '--json');
  for (const id of ['kimi', 'kimicode', 'pi', 'pi-rpc', 'qwen', 'qwen-rpc']) assert.is(agent(stdout, id)?.['id'], id);
  assert.is(agent(stdout, 'claude')?.['native_sandbox'], 'monomind');
  assert.not.match(stdout, /"native_sandbox":"turnout"/);
  const ours = own('agent', 'scan', '--json').stdout;
  assert.is(agent(ours, 'claude')?.['native_sandbox'], 'turnout');
  assert.is(agent(ours, 'kimicode'), undefined);
});

test('agent test reports in the same words', () => {
  const told = JSON.parse(monomind('agent', 'test', 'demo', '--json').stdout);
  assert.is(told.native_sandbox, 'monomind');
  assert.is(JSON.parse(own('agent', 'test', 'demo', '--json').stdout).native_sandbox, 'turnout');
});

test('where there are no links, a batch file says the name', () => {
  const folder = join(where.cwd, 'windows');
  const made = linkPersona({ persona: 'monomind', folder, argv: ['C:\\node.exe', TURNOUT], platform: 'win32' });
  assert.is(made.path, join(folder, 'monomind.cmd'));
  assert.ok(existsSync(made.path));
  assert.is(readFileSync(made.path, 'utf8'), `@"C:\\node.exe" "${TURNOUT}" __as monomind %*\r\n`);
  assert.is(JSON.parse(own('__as', 'monomind', '--version', '--json').stdout).version, COMPATIBLE_VERSION);
  assert.is(events(own('__as', 'monomind', ...exec).stdout)[0]?.['native_sandbox'], 'monomind');
});

test.run();
