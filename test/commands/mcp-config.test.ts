import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fault, file, read, refuses } from './reading.js';

const withMcp = (mcpServers: unknown, ...more: string[]) =>
  read('--mcp-config', file('mcp.json', { mcpServers }), ...more);

test('programs and URLs are read', async () => {
  const { request } = await withMcp({
    files: { command: 'npx', args: ['-y', 'server'], env: { A: '1' }, extra: true },
    bare: { type: 'stdio', command: 'server' },
    web: { type: 'http', url: 'https://x.test/mcp', headers: { Authorization: 'Bearer y' } },
    old: { type: 'sse', url: 'http://127.0.0.1:1/sse' },
    untyped: { url: 'http://127.0.0.1:1' },
    streamable: { type: 'streamable-http', url: 'http://127.0.0.1:1' },
  });
  assert.equal(request.mcpServers, [
    { name: 'files', type: 'stdio', command: 'npx', args: ['-y', 'server'], env: { A: '1' } },
    { name: 'bare', type: 'stdio', command: 'server', args: [], env: {} },
    { name: 'web', type: 'http', url: 'https://x.test/mcp', headers: { Authorization: 'Bearer y' } },
    { name: 'old', type: 'sse', url: 'http://127.0.0.1:1/sse', headers: {} },
    { name: 'untyped', type: 'http', url: 'http://127.0.0.1:1', headers: {} },
    { name: 'streamable', type: 'http', url: 'http://127.0.0.1:1', headers: {} },
  ]);
});

test('variables are looked up in --env, then in our environment', async () => {
  const servers = { s: { command: '${HOME}/bin/${NAME}', args: ['${NAME}', '$NAME', '${OTHER:-none}'] } };
  const { request } = await withMcp(servers, '--env', 'NAME=mine');
  assert.equal(request.mcpServers[0], {
    name: 's',
    type: 'stdio',
    command: '/home/user/bin/mine',
    args: ['mine', '$NAME', 'none'],
    env: {},
  });
});

test('a missing variable is named', async () => {
  await refuses(
    withMcp({ s: { command: 'x', env: { KEY: '${MY_KEY}' } } }),
    /^--mcp-config: mcpServers\.s\.env\.KEY: the variable MY_KEY is not set$/,
  );
});

test('a fault names its path', async () => {
  await refuses(read('--mcp-config', file('mcp.json', '[]')), /expected \{"mcpServers":/);
  await refuses(withMcp([]), /expected \{"mcpServers":/);
  await refuses(withMcp({ '': { command: 'x' } }), /empty name/);
  await refuses(withMcp({ s: 'x' }), /mcpServers\.s: expected an object/);
  await refuses(withMcp({ s: {} }), /mcpServers\.s\.command: expected a string/);
  await refuses(
    withMcp({ s: { type: 'ws', url: 'ws://x' } }),
    /mcpServers\.s\.type: expected "stdio", "http" or "sse"/,
  );
  await refuses(withMcp({ s: { type: 'http' } }), /mcpServers\.s\.url: expected a string/);
  await refuses(withMcp({ s: { url: 'file:///x' } }), /mcpServers\.s\.url: expected an http/);
  await refuses(withMcp({ s: { command: 'x', args: 'y' } }), /mcpServers\.s\.args: expected an array/);
  await refuses(withMcp({ s: { command: 'x', args: [1] } }), /mcpServers\.s\.args\[0\]: expected a string/);
  await refuses(withMcp({ s: { command: 'x', env: { A: 1 } } }), /mcpServers\.s\.env\.A: expected a string/);
  await refuses(withMcp({ s: { url: 'http://x', headers: [] } }), /mcpServers\.s\.headers: expected an object/);
});

test('a fault in JSON does not quote the file', async () => {
  const error = await fault(read('--mcp-config', file('mcp.json', '{"mcpServers":{"s":{"env":{"K":sk-secret}}}}')));
  assert.match(error.message, /^--mcp-config: not valid JSON/);
  assert.not.match(error.message, /secret/);
});

test.run();
