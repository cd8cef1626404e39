import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { privateDir } from '../../src/process/temp-files.js';
import { openBridge } from '../../src/tools/mcp-bridge.js';

const bin = join(process.env['TURNOUT_ROOT'] ?? '.', 'bin', 'turnout.js');

/** A bridge that answers each message with its id, and the messages it got. */
async function openedBridge() {
  const dir = await privateDir();
  const got: JsonObject[] = [];
  const closed: string[] = [];
  const bridge = await openBridge(dir.path, {
    message(channel, message) {
      got.push(message);
      bridge.send(channel, { jsonrpc: '2.0', id: message['id'] ?? null, result: message });
    },
    closed: (channel) => closed.push(channel),
  });
  return {
    bridge,
    got,
    closed,
    async end() {
      await bridge.close();
      await dir.remove();
    },
  };
}

test('the bridge program passes messages both ways and leaves when its stdin ends', async () => {
  const { bridge, got, closed, end } = await openedBridge();
  const child = spawn(process.execPath, [bin, '__mcp-bridge'], { env: { PATH: process.env['PATH'], ...bridge.env } });
  const big = 'é\u2028'.repeat(200_000);
  child.stdin.write(`${JSON.stringify({ id: 1, big })}\n`);
  let out = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    out += chunk;
    if (out.endsWith('\n')) break;
  }
  assert.is(JSON.parse(out).result.big, big);
  const exit = once(child, 'exit');
  child.stdin.end();
  assert.is((await exit)[0], 0);
  assert.is(got.length, 1);
  assert.is(closed.length, 1);
  await end();
});

test('the socket is private and takes nobody without the token', async () => {
  const { bridge, got, end } = await openedBridge();
  const path = bridge.env['TURNOUT_MCP_BRIDGE'] ?? '';
  assert.is((await stat(path)).mode & 0o777, 0o600);
  const stranger = connect(path);
  stranger.on('error', () => {});
  stranger.write(`wrong\n{"id":1}\n`);
  await once(stranger, 'close');
  assert.is(got.length, 0);
  await end();
});

test('a closed bridge ends the program', async () => {
  const { bridge, end } = await openedBridge();
  const child = spawn(process.execPath, [bin, '__mcp-bridge'], { env: { PATH: process.env['PATH'], ...bridge.env } });
  child.stdin.write('{"id":1}\n');
  await once(child.stdout, 'data');
  const exit = once(child, 'exit');
  await end();
  assert.is((await exit)[0], 0);
});

test('without a turn the program says what it is', async () => {
  const child = spawn(process.execPath, [bin, '__mcp-bridge'], { env: { PATH: process.env['PATH'] } });
  assert.is((await once(child, 'exit'))[0], 2);
});

test.run();
