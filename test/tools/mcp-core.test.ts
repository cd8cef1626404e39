import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { str } from '../../src/text/json.js';
import { mcpCore } from '../../src/tools/mcp-core.js';

const schema = {
  type: 'object',
  properties: { n: { type: 'array', items: { type: 'object', properties: { k: { enum: ['a'] } } } } },
};

function server() {
  const sent: [string, JsonObject][] = [];
  const called: { key: string; name: string; args: JsonObject; answer: (ok: boolean, text: string) => void }[] = [];
  const withdrawn: string[] = [];
  const core = mcpCore({
    tools: [{ name: 'add', description: 'Adds.', schema }],
    version: '1.2.3',
    send: (channel, message) => sent.push([channel, message]),
    call: (key, name, args, answer) => called.push({ key, name, args, answer }),
    withdraw: (key) => withdrawn.push(key),
  });
  return { core, sent, called, withdrawn };
}

test('it introduces itself in the version it was asked for, or in the newest it knows', () => {
  const { core, sent } = server();
  core.receive('c', { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-03-26' } });
  core.receive('c', { jsonrpc: '2.0', id: 'x', method: 'initialize', params: { protocolVersion: '2099-01-01' } });
  assert.is(str(sent[0]?.[1], 'result', 'protocolVersion'), '2025-03-26');
  assert.is(str(sent[1]?.[1], 'result', 'protocolVersion'), '2025-11-25');
  assert.is(sent[1]?.[1]['id'], 'x');
});

test('the list holds name, description and the whole schema', () => {
  const { core, sent } = server();
  assert.is(core.listed(), false);
  core.receive('c', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.is(core.listed(), true);
  assert.equal(sent[0]?.[1]['result'], { tools: [{ name: 'add', description: 'Adds.', inputSchema: schema }] });
});

test('calls are answered on the channel and id they came from', () => {
  const { core, sent, called } = server();
  core.receive('a', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { n: [] } } });
  core.receive('b', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } });
  assert.equal(
    called.map((call) => call.args),
    [{ n: [] }, {}],
  );
  called[1]?.answer(false, 'ERROR: no');
  called[0]?.answer(true, 'yes');
  assert.equal(
    sent.map(([channel]) => channel),
    ['b', 'a'],
  );
  assert.equal(sent[0]?.[1]['result'], { content: [{ type: 'text', text: 'ERROR: no' }], isError: true });
  assert.equal(sent[1]?.[1]['result'], { content: [{ type: 'text', text: 'yes' }], isError: false });
});

test('a cancelled call and a lost connection are withdrawn and never answered', () => {
  const { core, sent, called, withdrawn } = server();
  core.receive('a', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'add' } });
  core.receive('a', { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'add' } });
  core.receive('a', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
  core.closed('a');
  assert.equal(
    withdrawn,
    called.map((call) => call.key),
  );
  called[0]?.answer(true, 'late');
  assert.is(sent.length, 0);
});

test('what it does not know it refuses, what is no request it ignores', () => {
  const { core, sent } = server();
  core.receive('a', { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage' });
  core.receive('a', { jsonrpc: '2.0', id: 2, result: {} });
  core.receive('a', { jsonrpc: '2.0', method: 'notifications/initialized' });
  core.receive('a', { jsonrpc: '2.0', id: 3, method: 'tools/call', params: {} });
  assert.equal(
    sent.map(([, message]) => (message['error'] as JsonObject)['code']),
    [-32601, -32602],
  );
});

test.run();
