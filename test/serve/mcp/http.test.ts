// limit: 180s
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { isObject, parseObject } from '../../../src/text/json.js';
import { leftovers, place } from '../../contract/cli.js';
import { ask, type Server, serve } from '../server.js';
import { agentsLeft } from './clients.js';

const http = ['--transport', 'http', '--port', '0', '--store', 'memory', '--auth-token', 's3cret'];
const HEADERS = {
  authorization: 'Bearer s3cret',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

async function withServer(work: (server: Server) => Promise<void>, args: readonly string[] = []): Promise<void> {
  const server = await serve([...http, ...args]);
  try {
    await work(server);
  } finally {
    await server.stop();
    assert.equal(await leftovers(server.place.mark), []);
  }
}

const post = (server: Server, body: JsonObject | string, headers: Record<string, string> = {}) =>
  fetch(`${server.at}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The messages of an answer, streamed or not. */
async function messages(response: Response): Promise<JsonObject[]> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('event-stream')) return [parseObject(text) ?? {}];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => parseObject(line.slice(6)) ?? {});
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const hang = (id: number, meta: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'agent_exec',
    arguments: { runtime: 'demo', prompt: 'say hanging then hang hard' },
    _meta: { ...meta, progressToken: 1 },
  },
});

/** Sends a request and cuts the connection once the answer holds a text. */
function cutAt(server: Server, body: JsonObject, text: string, headers: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.at}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers } }, (response) => {
      let seen = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        seen += part;
        if (!seen.includes(text)) return;
        sent.destroy();
        resolve();
      });
      response.on('end', () => reject(new Error(`ended: ${seen}`)));
    });
    sent.on('error', () => {});
    sent.end(JSON.stringify(body));
  });
}

test('who may not speak to the server may not speak to /mcp', () =>
  withServer(async (server) => {
    assert.is((await post(server, list, { authorization: 'Bearer wrong' })).status, 401);
    assert.is((await post(server, list, { origin: 'https://evil.example' })).status, 403);
    const status = await new Promise((resolve) => {
      const sent = request(
        `${server.at}/mcp`,
        { method: 'POST', headers: { ...HEADERS, host: 'evil.example' } },
        (response) => resolve(response.statusCode),
      );
      sent.end(JSON.stringify(list));
    });
    assert.is(status, 403);
    assert.is((await fetch(`${server.at}/mcp/more`, { headers: HEADERS })).status, 404);
  }));

test('a page that is allowed may ask with the headers of the protocol', () =>
  withServer(
    async (server) => {
      const origin = 'https://app.example';
      const asked = await fetch(`${server.at}/mcp`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      assert.is(asked.status, 204);
      assert.match(asked.headers.get('access-control-allow-headers') ?? '', 'mcp-session-id');
      const begun = await post(server, initialize, { origin });
      assert.is(begun.headers.get('access-control-allow-origin'), origin);
      assert.match(begun.headers.get('access-control-expose-headers') ?? '', 'mcp-session-id');
      await begun.text();
    },
    ['--allow-origin', 'https://app.example'],
  ));

test('bad bodies and types are refused, and what is too large', () =>
  withServer(async (server) => {
    assert.is((await post(server, list, { 'content-type': 'text/plain' })).status, 415);
    const bad = await post(server, '{');
    assert.is(bad.status, 400);
    assert.ok((await bad.text()).includes('-32700'));
    assert.is((await post(server, `"${'x'.repeat(17 * 1024 * 1024)}"`)).status, 413);
    assert.is((await post(server, list, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
  }));

test('an older client gets a session, which its end closes; one without is served all the same', () =>
  withServer(async (server) => {
    const begun = await post(server, initialize);
    const id = begun.headers.get('mcp-session-id') ?? '';
    assert.ok(id.length > 30);
    await begun.text();
    const headers = { 'mcp-session-id': id };
    assert.is((await messages(await post(server, list, headers))).length, 1);
    const ended = await fetch(`${server.at}/mcp`, { method: 'DELETE', headers: { ...HEADERS, ...headers } });
    assert.is(ended.status, 200);
    await ended.text();
    assert.is((await post(server, list, headers)).status, 404);
    const [answer] = await messages(await post(server, list));
    assert.ok(isObject(answer?.['result']) && Array.isArray(answer['result']['tools']));
    assert.is((await fetch(`${server.at}/mcp`, { headers: HEADERS })).status, 405);
  }));

test('an answer that is cut off ends the turn, in every era', () =>
  withServer(async (server) => {
    const begun = await post(server, initialize);
    const id = begun.headers.get('mcp-session-id') ?? '';
    await begun.text();
    await cutAt(server, hang(5), 'hanging', { 'mcp-session-id': id });
    assert.equal(await agentsLeft(server.place.mark), []);
    await cutAt(server, hang(6), 'hanging');
    assert.equal(await agentsLeft(server.place.mark), []);
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'agent_exec' };
    await cutAt(server, hang(7, META), 'hanging', modern);
    assert.equal(await agentsLeft(server.place.mark), []);
  }));

test('a stream that waits for news does not hold up the end of the server', async () => {
  const server = await serve(http);
  const begun = await post(server, initialize);
  const id = begun.headers.get('mcp-session-id') ?? '';
  await begun.text();
  const news = await fetch(`${server.at}/mcp`, { headers: { ...HEADERS, 'mcp-session-id': id } });
  assert.is(news.status, 200);
  const { code } = await server.stop();
  assert.is(code, 0);
  await news.text().catch(() => '');
});

test('a caller with a key of its own finds neither the sessions nor the runs of others', async () => {
  const where = place();
  const keys = join(where.cwd, 'keys');
  writeFileSync(keys, 'ann key ann-s3cret-ann-s3cret\n');
  await withServer(
    async (server) => {
      const ann = { authorization: 'Bearer ann-s3cret-ann-s3cret' };
      const begun = await post(server, initialize);
      const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
      await begun.text();
      assert.is((await post(server, list, { ...session, ...ann })).status, 404);
      assert.is((await post(server, list, session)).status, 200);
      const [run] = await ask(server.at, { op: 'exec', runtime: 'demo', prompt: 'say private', detach: true });
      const read = (id: number): JsonObject => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'agent_get', arguments: { run_id: String(run?.['run_id']) }, _meta: META },
      });
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'agent_get' };
      const told = async (id: number, headers: Record<string, string>) =>
        JSON.stringify(await messages(await post(server, read(id), { ...modern, ...headers })));
      assert.match(await told(1, {}), String(run?.['run_id']));
      assert.match(await told(2, ann), /there is no run/);
    },
    ['--auth-keys', keys],
  );
});

test.run();
