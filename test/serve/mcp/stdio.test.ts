// limit: 240s
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { isObject } from '../../../src/text/json.js';
import { leftovers, place, run } from '../../contract/cli.js';
import { withClient } from './clients.js';

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const call = (id: number, name: string, args: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: { progressToken: id } },
});
const modern = (id: number, version: string, method = 'tools/list'): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    },
  },
});
const errorOf = (message: JsonObject | undefined) => (isObject(message?.['error']) ? message['error'] : {});

test('only messages are on stdout, lines that are none are answered, and the end of stdin is the end', async () => {
  const running = run(['mcp']);
  running.send('garbage');
  running.send('');
  running.send(' \t ');
  running.send('[1,2]');
  running.send('{"jsonrpc":"1.0","id":7,"method":"ping"}');
  running.send(`${'['.repeat(5000)}`);
  running.send(initialize);
  running.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  running.send({ jsonrpc: '2.0', id: 1, method: 'nothing/like/it' });
  running.send(call(2, 'agent_exec', { runtime: 'demo', prompt: 'crash 3' }));
  await running.event((message) => message['id'] === 2);
  running.send({ jsonrpc: '2.0', id: 3, method: 'ping' });
  running.closeStdin();
  const { code, lines, events, stderr } = await running.ended;
  assert.is(code, 0, stderr);
  assert.is(lines.length, events.length);
  for (const message of events) assert.is(message['jsonrpc'], '2.0');
  const codes = events.filter(({ id }) => id === null || id === 7 || id === 1).map((one) => errorOf(one)['code']);
  assert.equal(codes, [-32700, -32600, -32600, -32600, -32601]);
  assert.ok(events.some(({ id, result }) => id === 3 && isObject(result)));
});

test('whoever sends all requests at once and closes stdin still gets quick answers', async () => {
  const running = run(['mcp']);
  running.send(initialize);
  running.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  running.closeStdin();
  const { code, events } = await running.ended;
  assert.is(code, 0);
  assert.equal(
    events.map(({ id }) => id),
    [0, 1],
  );
});

test('the end of stdin takes agents along that ignore everything but a kill', async () => {
  const running = run(['mcp']);
  running.send(initialize);
  running.send(call(1, 'agent_exec', { runtime: 'demo', prompt: 'say hanging then hang hard' }));
  running.send(call(2, 'agent_start', { runtime: 'demo', prompt: 'hang hard' }));
  await running.event(({ params }) => isObject(params) && String(params['message']).includes('hanging'));
  await running.event(({ id }) => id === 2);
  const since = Date.now();
  running.closeStdin();
  const { code } = await running.ended;
  assert.is(code, 0);
  assert.ok(Date.now() - since < 2000, `${Date.now() - since} ms`);
  assert.equal(await leftovers(running.place.mark), []);
});

test('a client that reads no more is one that left', async () => {
  const running = run(['mcp'], { read: false });
  running.send(initialize);
  running.send(call(1, 'agent_exec', { runtime: 'demo', prompt: 'slow 1000' }));
  running.child.stdout?.once('data', () => running.child.stdout?.destroy());
  const { code } = await running.ended;
  assert.is(code, 0);
  assert.equal(await leftovers(running.place.mark), []);
});

test('a signal ends it as well', async () => {
  const running = run(['mcp']);
  running.send(initialize);
  running.send(call(1, 'agent_exec', { runtime: 'demo', prompt: 'say hanging then hang' }));
  await running.event(({ params }) => isObject(params) && String(params['message']).includes('hanging'));
  running.child.kill('SIGTERM');
  running.watch();
  const { code, late } = await running.ended;
  assert.equal([code, late], [0, false]);
  assert.equal(await leftovers(running.place.mark), []);
});

test('a version that is not known is refused also later, and both eras begin without a probe', async () => {
  const running = run(['mcp']);
  running.send(modern(1, '2026-07-28'));
  await running.event(({ id }) => id === 1);
  running.send(modern(2, '2027-01-01'));
  running.send(modern(3, '2026-07-28', 'server/discover'));
  const refused = await running.event(({ id }) => id === 2);
  assert.is(errorOf(refused)['code'], -32022);
  assert.equal(errorOf(refused)['data'], { supported: ['2026-07-28'], requested: '2027-01-01' });
  const { result } = await running.event(({ id }) => id === 3);
  assert.ok(isObject(result) && result['resultType'] === 'complete' && Number(result['ttlMs']) > 0);
  assert.equal(isObject(result) && result['supportedVersions'], ['2026-07-28']);
  running.closeStdin();
  assert.is((await running.ended).code, 0);
});

test('arguments that are wrong are named, and nothing is started', () =>
  withClient({ era: 'legacy', transport: 'stdio' }, async (to) => {
    const wrong: [string, JsonObject, string][] = [
      ['agent_exec', {}, 'prompt: expected a text that is not empty'],
      ['agent_exec', { prompt: 5 }, 'prompt: expected a string'],
      ['agent_exec', { prompt: 'x', promt: 'y' }, 'promt: there is no such argument'],
      ['agent_exec', { prompt: 'x', runtime: 'demmo' }, 'runtime: there is no agent called demmo. Did you mean demo?'],
      ['agent_exec', { prompt: 'x', runtime: 'acp:touch /tmp/never' }, 'runtime: there is no agent called acp:touch'],
      ['agent_exec', { prompt: 'x', runtime: 'replay:/etc/hosts' }, 'runtime: there is no agent called replay:'],
      ['agent_exec', { prompt: 'x', runtime: 'demo', cwd: 'nowhere' }, 'cwd'],
      [
        'agent_exec',
        { prompt: 'x', runtime: 'demo', access: 'full' },
        'access: full is not allowed here, only scoped, none, read',
      ],
      ['agent_exec', { prompt: 'x', runtime: 'demo', effort: 'huge' }, 'effort: expected one of'],
      ['agent_exec', { prompt: 'x', runtime: 'demo', max_turns: 0 }, 'max_turns'],
      ['agent_exec', { prompt: 'x', runtime: 'demo', budget_usd: -1 }, 'budget_usd'],
      ['agent_exec', { prompt: 'x', runtime: 'demo', output_schema: [] }, 'output_schema'],
      ['agent_exec', { prompt: 'x', runtime: 'demo', session_id: 'ses_none' }, 'session_id'],
      ['agent_start', { runtime: 'demo' }, 'prompt: expected'],
      ['agent_get', { run_id: 'run_none' }, 'there is no run run_none'],
      ['agent_events', { run_id: 'run_none', after_seq: -1 }, 'run_none'],
      ['agent_steer', { run_id: 'run_none', text: 'x' }, 'run_none'],
      ['agent_approve', { run_id: 'run_none', choice: 'maybe' }, 'choice: expected one of'],
      ['agent_models', {}, 'runtime: expected the id of a runtime'],
      ['agent_models', { runtime: 'nobody' }, 'nobody'],
      ['sessions_list', { limit: 0 }, 'limit'],
    ];
    for (const [name, args, says] of wrong) {
      const { isError, text } = await to.call(name, args);
      assert.ok(isError, `${name} ${JSON.stringify(args)}: ${text}`);
      const told = JSON.parse(text);
      assert.is(told.ok, false);
      assert.match(told.error, says);
    }
    assert.equal((await to.call('sessions_list', {})).content, { sessions: [] });
    await to.client.callTool({ name: 'agent_dance', arguments: {} }).then(
      () => assert.unreachable('there is no such tool'),
      (error: Error) => assert.match(error.message, 'agent_dance'),
    );
  }));

test('folders are taken from --cwd, modes up to --access, and a schema gives a parsed answer', async () => {
  const where = place();
  mkdirSync(join(where.cwd, 'sub', 'deep'), { recursive: true });
  writeFileSync(join(where.cwd, 'file'), '');
  const args = ['--cwd', 'sub', '--access', 'edit', '--runtime', 'demo'];
  await withClient({ era: 'modern', transport: 'stdio', place: where, args }, async ({ call: use }) => {
    assert.is((await use('agent_exec', { prompt: 'hello' })).content['cwd'], join(where.cwd, 'sub'));
    const wrote = await use('agent_exec', { prompt: 'write notes.txt Hello', cwd: 'deep', access: 'edit' });
    assert.not.ok(wrote.isError, wrote.text);
    assert.ok(existsSync(join(where.cwd, 'sub', 'deep', 'notes.txt')));
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const parsed = await use('agent_exec', { prompt: 'json {"a":1}', output_schema: schema });
    assert.equal(parsed.content['structured'], { a: 1 });
  });
  const bad = run(['mcp', '--cwd', 'file'], { place: where });
  const { code, lines, stderr } = await bad.ended;
  assert.equal([code, lines], [2, []]);
  assert.match(stderr, '--cwd');
});

test('a store keeps sessions for the server of another client and for the next one', async () => {
  const where = place();
  const args = ['--store', join(where.cwd, 'kept.db')];
  const kind = { era: 'legacy', transport: 'stdio', place: where, args } as const;
  let session = '';
  await withClient(kind, async (to) => {
    const done = await to.call('agent_exec', { runtime: 'demo', prompt: 'say tulip' });
    session = String(done.content['session_id']);
    await withClient(kind, async (beside) => {
      const again = await beside.call('agent_exec', { prompt: 'remember', session_id: session });
      assert.match(again.text, 'say tulip');
    });
    assert.not.ok((await to.call('agent_exec', { runtime: 'demo', prompt: 'say rose' })).isError);
  });
  assert.equal(await leftovers(where.mark), []);
  await withClient(kind, async (to) => {
    const again = await to.call('agent_exec', { prompt: 'remember', session_id: session });
    assert.match(again.text, 'say tulip');
  });
});

test('a store that a server holds for itself is refused with its name', async () => {
  const where = place();
  const store = join(where.cwd, 'held.db');
  const holder = run(['agent', 'serve', '--store', store], { place: where });
  holder.send({ op: 'ping' });
  await holder.event((line) => line['kind'] === 'done');
  const { code, lines, stderr } = await run(['mcp', '--store', store], { place: where }).ended;
  assert.equal([code, lines], [2, []]);
  assert.match(stderr, '--store');
  assert.match(stderr, `${holder.child.pid}`);
  holder.closeStdin();
  assert.is((await holder.ended).code, 0);
});

test.run();
