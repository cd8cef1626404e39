import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { pathFor, pathKey } from '../../src/discovery/child-path.js';

const agent = { found: '/opt/agent/bin/agent', real: '/opt/agent/bin/agent' };
const path = (env: NodeJS.ProcessEnv, program = agent) => pathFor(program, env, 'linux', '/node/bin/node').split(':');

test("the program's folder goes first when PATH lacks it", () => {
  assert.equal(path({ PATH: '/usr/bin' }), ['/opt/agent/bin', '/usr/bin', '/node/bin']);
});

test("the user's order stands when PATH has the program's folder: a newer Node may come before it", () => {
  assert.equal(path({ PATH: '/nvm/bin:/opt/agent/bin' }), ['/nvm/bin', '/opt/agent/bin', '/node/bin']);
});

test('without PATH the system folders are there', () => {
  assert.equal(path({}).slice(0, 3), ['/opt/agent/bin', '/usr/local/bin', '/usr/bin']);
});

test('relative and empty entries are left out: a file in the working folder must not stand in for node', () => {
  assert.equal(path({ PATH: '.::bin:/usr/bin' }), ['/opt/agent/bin', '/usr/bin', '/node/bin']);
});

test('the npm prefix of a program that was linked elsewhere comes behind', () => {
  const linked = { found: '/home/u/bin/agent', real: '/nvm/v22/lib/node_modules/agent/cli.js' };
  assert.equal(path({ PATH: '/usr/bin' }, linked), ['/home/u/bin', '/usr/bin', '/nvm/v22/bin', '/node/bin']);
});

test('a host that is no Node (Electron) is not put on PATH', () => {
  assert.equal(pathFor(agent, { PATH: '/usr/bin' }, 'linux', '/app/Studio'), '/opt/agent/bin:/usr/bin');
});

test('Windows', () => {
  const env = { Path: 'C:\\Windows;.' };
  assert.is(
    pathFor({ found: 'C:\\t\\a.cmd', real: 'C:\\t\\a.cmd' }, env, 'win32', 'C:\\n\\node.exe'),
    'C:\\t;C:\\Windows;C:\\n',
  );
  assert.is(pathKey(env, 'win32'), 'Path');
  assert.is(pathKey({}, 'win32'), 'PATH');
  assert.is(pathKey({ Path: 'x' }, 'linux'), 'PATH');
});

test.run();
