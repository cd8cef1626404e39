// limit: 120s

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-config-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: home, TURNOUT_CONFINE: 'none' };
const user = join(home, '.config', 'turnout', 'config.json');
const folder = join(home, 'app');
mkdirSync(folder);
const project = join(folder, 'turnout.config.json');
const turnout = (...args: string[]) => runProgram(process.execPath, [TURNOUT, ...args], { cwd: folder, env });
const config = (...args: string[]) => turnout('config', ...args);

test.before.each(() => {
  rmSync(user, { force: true });
  rmSync(project, { force: true });
});

test('what is set is listed, read and used by run, and flags win', () => {
  assert.is(config('list').stdout, 'Nothing is set. To set something: turnout config set runtime claude\n');
  assert.is(config('set', 'runtime', 'demo').status, 0);
  assert.is(config('set', 'timeout', '20s').status, 0);
  assert.is(config('get', 'runtime').stdout, 'demo\n');
  assert.match(config('list').stdout, /^timeout +user +20s$/m);
  assert.is(config('path').stdout, `${user}\n`);
  const ran = turnout('run', 'say hello');
  assert.is(ran.stdout, 'hello\n');
  assert.is(turnout('run', '-r', 'no-such', 'hi').status, 2);
  config('set', 'timeout', '1ms');
  assert.is(turnout('run', 'slow 20').status, 124);
  assert.is(turnout('run', '--timeout', '20s', 'say hello').status, 0);
});

test('comments, order and layout of the file stay', () => {
  mkdirSync(join(user, '..'), { recursive: true });
  writeFileSync(user, '// mine\n{\n\t"runtimes": ["demo"], // first\n}\n');
  assert.is(config('set', 'access', 'read').stderr, '');
  const text = readFileSync(user, 'utf8');
  assert.is(text, '// mine\n{\n\t"access": "read",\n\t"runtimes": ["demo"], // first\n}\n');
  assert.is(config('get', 'runtimes').stdout, '["demo"]\n');
  config('set', 'access', '--unset');
  assert.is(config('get', 'access').status, 1);
});

test('unknown keys, bad values and unknown runtimes are refused before anything is written', () => {
  const refused = (args: string[], why: RegExp) => {
    const ran = config(...args);
    assert.is(ran.status, 2, args.join(' '));
    assert.match(ran.stderr, why);
    assert.not(existsSync(user));
  };
  refused(['set', 'acces', 'edit'], /unknown key "acces"; did you mean access\?/);
  refused(
    ['set', 'access', 'all'],
    /access must be equal to one of the allowed values: scoped, none, read, edit, full/,
  );
  refused(['set', 'timeout', 'soon'], /timeout must match pattern/);
  refused(['set', 'runtimes', 'cluade'], /unknown runtime "cluade"; did you mean claude\?/);
  refused(['set', 'orgs', '{"a":{"roles":[{"id":"x","runtime":"demo"}]}}'], /orgs belongs into the project's file/);
  refused(['set', 'model'], /the value of model is missing/);
});

test('an unknown key in a file stops run and names the file; exec, which programs use, works on', () => {
  mkdirSync(join(user, '..'), { recursive: true });
  writeFileSync(user, '{"acess":"edit"}');
  const ran = turnout('run', '-r', 'demo', 'hi');
  assert.is(ran.status, 2);
  assert.match(ran.stderr, /config\.json: unknown key "acess"; did you mean access\?/);
  assert.is(turnout('agent', 'exec', '-r', 'demo', '-p', 'hi').status, 0);
  const listed = config('list');
  assert.is(listed.status, 1);
  assert.match(listed.stdout, /did you mean access/);
});

test('a project can not widen access until the user trusts it', () => {
  config('set', 'access', 'edit', '--project');
  const ran = turnout('run', '-r', 'demo', 'write a.txt hello');
  assert.match(ran.stderr, /access was left out, since "trusted_projects"/);
  assert.not(existsSync(join(folder, 'a.txt')));
  config('set', 'trusted_projects', folder);
  assert.is(turnout('run', '-r', 'demo', 'write a.txt hello').status, 0);
  assert.ok(existsSync(join(folder, 'a.txt')));
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
