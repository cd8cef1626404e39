// limit: 120s
/** The client's side of a server: a real one, and one that breaks off. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type * as ClientLibrary from '../../src/client/index.js';
import { TURNOUT } from '../contract/cli.js';
import { served, TOKEN } from './served.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const built = pathToFileURL(join(root, 'dist', 'client', 'index.js')).href;
const { connect, connectServer, ServerError, TurnoutError, UsageError }: typeof ClientLibrary = await import(built);
const home = mkdtempSync(join(tmpdir(), 'turnout-server-client-'));
const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home };
const { url, stop } = await served(home);
const server = connectServer(url, { token: TOKEN });

test('a turn on a server has events, tools, permissions and a result, as one of its own has', async () => {
  const turn = server.exec({
    runtime: 'demo',
    prompt: 'tool add {"a":2}',
    timeoutMs: 60_000,
    tools: { add: { description: 'Adds.', run: ({ a }) => `added ${String(a)}` } },
  });
  const types: string[] = [];
  for await (const event of turn) types.push(event.type);
  assert.is(types[0], 'start');
  assert.is(types.at(-1), 'done');
  assert.match(String((await turn.result()).text), 'added 2');
  const asked = await server.exec({ runtime: 'demo', prompt: 'ask', onPermission: () => 'allow_once' }).result();
  assert.match(String(asked.text), 'allow_once');
  const numbers: number[] = [];
  for await (const { seq } of server.events(String(turn.id), { since: 2 })) numbers.push(seq);
  assert.equal(numbers, types.map((_, index) => index + 1).slice(2));
  const { runs } = await server.call('runs', { limit: 5 });
  assert.ok(JSON.stringify(runs).includes(String(turn.id)));
  const again = await server.exec({ runtime: 'demo', prompt: 'say on', session: String(turn.sessionId) }).result();
  assert.is(again.text, 'on');
});

test('cancel, guidance and leaving the loop reach the server', async () => {
  const turn = server.exec({ runtime: 'demo', prompt: 'hang hard' });
  for await (const event of turn) if (event.type === 'assistant') break;
  const result = await turn.result();
  assert.is(result.error?.code, 'cancelled');
  const { run } = await server.call('run', { run_id: String(turn.id) });
  assert.is(JSON.parse(JSON.stringify(run)).status, 'cancelled');
});

test('refusals are errors that say why', async () => {
  const fails = async (call: Promise<unknown>) =>
    call.then(
      () => assert.unreachable(),
      (error: unknown) => error,
    );
  const unknown = await fails(server.call('dance'));
  assert.ok(unknown instanceof ServerError);
  assert.match(unknown.message, 'unknown op');
  const denied = await fails(connectServer(url, { token: 'another' }).call('ping'));
  assert.ok(denied instanceof ServerError);
  assert.is(denied.status, 401);
  const nobody = await fails(connectServer('http://127.0.0.1:9').call('ping'));
  assert.ok(nobody instanceof ServerError);
  assert.is(nobody.status, null);
  assert.throws(
    () => server.exec({ runtime: 'demo', prompt: 'x', confine: 'none' }),
    (error: unknown) => error instanceof UsageError && error.path === 'confine',
  );
  assert.ok(
    (await fails(server.exec({ runtime: 'demo', prompt: 'x', cwd: '/no/such' }).result())) instanceof TurnoutError,
  );
});

test('a follower goes on after a lost connection, with what it has not seen', async () => {
  const asked: string[] = [];
  const line = (seq: number) =>
    `${JSON.stringify({ kind: 'event', seq, event: { v: 1, type: 'plan', entries: [] } })}\n`;
  const broken = createServer((message, response) => {
    message.setEncoding('utf8').on('data', (text: string) => asked.push(text));
    message.on('end', () => {
      if (asked.length > 1) return response.end(`${line(3)}{"kind":"done","exit_code":0}\n`);
      return response.write(line(1) + line(2), () => response.destroy());
    });
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const address = broken.address();
  const port = typeof address === 'object' ? address?.port : null;
  const seen: number[] = [];
  for await (const { seq } of connectServer(`http://127.0.0.1:${port}`).events('run_1')) seen.push(seq);
  broken.close();
  assert.equal(seen, [1, 2, 3]);
  assert.is(JSON.parse(asked[1] ?? '{}').since, 2);
});

test('an installed turnout lists models and sessions', async () => {
  const turnout = await connect({ bin: TURNOUT, env });
  const { sessionId } = await turnout.exec({ runtime: 'demo', prompt: 'say hi', cwd: home }).result();
  assert.ok((await turnout.models({ runtime: 'demo' })).models.some(({ id }) => id === 'demo-1'));
  assert.ok((await turnout.sessions({ runtime: 'demo', cwd: home })).sessions.some(({ id }) => id === sessionId));
  const failure = await turnout.models({ runtime: 'no-such' }).catch((error: unknown) => error);
  assert.ok(failure instanceof TurnoutError);
  assert.match(failure.message, 'no-such');
});

test.after(() => {
  stop();
  rmSync(home, { recursive: true, force: true });
});
test.run();
