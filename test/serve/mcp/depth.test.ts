// limit: 120s
import { spawn } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ancestorValues, valueIn } from '../../../src/process/ancestors.js';
import { checkDepth, maxDepth, readDepth } from '../../../src/serve/mcp/depth.js';
import { leftovers, place, run, TURNOUT } from '../../contract/cli.js';
import { withClient } from './clients.js';

const exec = { runtime: 'demo', prompt: 'say reached' };

test('a limit that is reached says how deep, and nothing is started', async () => {
  const where = place({ TURNOUT_DEPTH: '2' });
  await withClient({ era: 'modern', transport: 'stdio', place: where }, async (to) => {
    const refused = await to.call('agent_exec', exec);
    assert.ok(refused.isError);
    assert.match(refused.text, '"code":"depth-limit"');
    assert.match(refused.text, '2 levels deep');
    assert.ok((await to.call('agent_start', exec)).isError);
    assert.is((await to.call('agent_scan', {})).content['may_start'], false);
    assert.equal((await to.call('sessions_list', {})).content, { sessions: [] });
  });
  await withClient({ era: 'modern', transport: 'stdio', place: where, args: ['--max-depth', '3'] }, async (to) =>
    assert.not.ok((await to.call('agent_exec', exec)).isError),
  );
});

test('what is started is one level deeper and knows the limit', () =>
  withClient({ era: 'legacy', transport: 'stdio', args: ['--max-depth', '1'] }, async (to) => {
    assert.match(
      (await to.call('agent_exec', { ...exec, prompt: 'env TURNOUT_DEPTH' })).text,
      'TURNOUT_DEPTH is set to: 1',
    );
    assert.match(
      (await to.call('agent_exec', { ...exec, prompt: 'env TURNOUT_MAX_DEPTH' })).text,
      'TURNOUT_MAX_DEPTH is set to: 1',
    );
  }));

test('the limit of the outermost holds further in', () =>
  withClient(
    {
      era: 'legacy',
      transport: 'stdio',
      place: place({ TURNOUT_DEPTH: '1', TURNOUT_MAX_DEPTH: '1' }),
      args: ['--max-depth', '9'],
    },
    async (to) => {
      const refused = await to.call('agent_exec', exec);
      assert.match(refused.text, 'no more than 1 are allowed');
    },
  ));

test('a program that hides the depth from its MCP servers hides nothing, on Linux', async () => {
  if (process.platform !== 'linux') return console.log('SKIPPED: only Linux shows the environment of ancestors');
  const where = place();
  const { TURNOUT_DEPTH: _none, ...bare } = where.env;
  // An agent two levels deep that starts its MCP servers with an environment of its own making.
  const script = `
    const { spawn } = require('node:child_process');
    spawn(process.execPath, [${JSON.stringify(TURNOUT)}, 'mcp'], { env: ${JSON.stringify(bare)}, stdio: 'inherit' })
      .on('exit', (code) => process.exit(code));`;
  const agent = spawn(process.execPath, ['-e', script], {
    cwd: where.cwd,
    env: { ...where.env, TURNOUT_DEPTH: '2' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { id: 1, method: 'tools/call', params: { name: 'agent_exec', arguments: exec } },
  ];
  for (const line of lines) agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  let out = '';
  await new Promise<void>((resolve) => {
    agent.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('"id":1')) resolve();
    });
    agent.once('exit', () => resolve());
  });
  agent.stdin.end();
  assert.match(out, 'depth-limit');
  assert.equal(await leftovers(where.mark), []);
});

test('over HTTP the caller may say how deep it is, and never less than the server knows', async () => {
  const kind = { era: 'modern', transport: 'http' } as const;
  await withClient({ ...kind, headers: { 'turnout-depth': '2' } }, async (to) =>
    assert.match((await to.call('agent_exec', exec)).text, 'depth-limit'),
  );
  await withClient({ ...kind, headers: { 'turnout-depth': '1' } }, async (to) =>
    assert.match(
      (await to.call('agent_exec', { ...exec, prompt: 'env TURNOUT_DEPTH' })).text,
      'TURNOUT_DEPTH is set to: 2',
    ),
  );
  await withClient({ ...kind, place: place({ TURNOUT_DEPTH: '2' }), headers: { 'turnout-depth': '0' } }, async (to) =>
    assert.match((await to.call('agent_exec', exec)).text, 'depth-limit'),
  );
});

test('a value is found by its whole name, and ours is among our ancestors', () => {
  assert.is(valueIn('A=1\0XTURNOUT_DEPTH=7\0TURNOUT_DEPTH=3\0', 'TURNOUT_DEPTH'), '3');
  assert.is(valueIn('A=1\0', 'TURNOUT_DEPTH'), null);
  assert.equal(ancestorValues('TURNOUT_NOT_SET_ANYWHERE'), []);
  if (process.platform === 'linux')
    assert.is(ancestorValues('TURNOUT_ROOT', process.pid)[0], process.env['TURNOUT_ROOT']);
});

test('only whole numbers count', () => {
  assert.equal(['0', '12', '', '-1', '1.5', 'x', '9999999', undefined].map(readDepth), [
    0,
    12,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  assert.is(maxDepth(2, { TURNOUT_MAX_DEPTH: 'many' }), 2);
  assert.throws(() => checkDepth(1, 1), /1 level deep/);
  checkDepth(1, 2);
});

test('a depth below one is a usage error', async () => {
  const { code, stderr } = await run(['mcp', '--max-depth', '0']).ended;
  assert.is(code, 2);
  assert.match(stderr, 'max-depth');
});

test.run();
