// limit: 120s
// The surfaces of stdin and stdout, HTTP and the named pipe, as a host on Windows meets them.
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { type Running, run } from '../contract/cli.js';
import { scene, until } from './scene.js';

const test = suite('surfaces on Windows');

const INITIALIZE = {
  mcp: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  acp: { protocolVersion: 1, clientCapabilities: {} },
};

/** A surface that nobody reads, asked until its pipe is full. */
async function unread(args: readonly string[], question: (id: number) => JsonObject): Promise<Running> {
  const running = run(args, { place: scene(), read: false });
  for (let id = 1; id <= 3000; id++) running.send({ ...question(id) });
  await new Promise((resolve) => running.child.stdout?.once('readable', resolve));
  return running;
}

const SURFACES: [string, string[], (id: number) => JsonObject][] = [
  ['agent serve', ['agent', 'serve', '--store', 'memory'], (id) => ({ op: 'version', id })],
  [
    'mcp',
    ['mcp', '--store', 'memory'],
    (id) => ({ jsonrpc: '2.0', id, method: id === 1 ? 'initialize' : 'ping', params: INITIALIZE.mcp }),
  ],
  [
    'acp',
    ['acp', '--store', 'memory', '--runtime', 'demo'],
    (id) => ({ jsonrpc: '2.0', id, method: 'initialize', params: INITIALIZE.acp }),
  ],
  ['gateway', ['gateway', '--runtime', 'demo'], (id) => ({ jsonrpc: '2.0', id, method: 'nothing', params: {} })],
];

for (const [name, args, question] of SURFACES) {
  test(`${name}: answers, and a host that stops reading can still end it`, async () => {
    const reading = run(args, { place: scene() });
    reading.send(question(1));
    await until('the first answer', () => reading.events.length > 0, 20_000);
    reading.closeStdin();
    await reading.ended;
    const running = await unread(args, question);
    running.child.stdout?.destroy();
    await until('it has ended', () => running.child.exitCode !== null, 20_000);
  });
}

/** Says lines into the pipe and gives what comes back until its end. */
function over(pipe: string, lines: readonly JsonObject[]): Promise<JsonObject[]> {
  return new Promise((resolve, reject) => {
    let text = '';
    // A pipe has no half that can be closed: `halt` is the last word.
    const socket = connect(pipe, () => socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        text
          .trim()
          .split('\n')
          .map((line) => parseObject(line) ?? {}),
      ),
    );
  });
}

test('a named pipe: two callers at once, each with a turn of its own', async () => {
  const pipe = `\\\\.\\pipe\\turnout-test-${process.pid}`;
  const serve = ['agent', 'serve', '--store', 'memory', '--transport', 'unix', '--socket'];
  const server = run([...serve, pipe], { place: scene(), stdin: 'ignore' });
  let said = '';
  server.child.stderr?.on('data', (text: string) => {
    said += text;
  });
  await until('it listens', () => said.includes('listening on'), 20_000);
  test.after(() => void server.child.kill('SIGKILL'));
  const ask = (prompt: string) =>
    over(pipe, [{ op: 'exec', id: 1, runtime: 'demo', prompt, cwd: server.place.cwd }, { op: 'halt' }]);
  const [one, two] = await Promise.all([ask('hello'), ask('say two')]);
  assert.match(JSON.stringify(one), /Hello!/, said);
  assert.match(JSON.stringify(two), /two/);
  server.child.kill('SIGKILL');
  await server.ended;
});

test('a path that is no named pipe is refused with what to give', async () => {
  const args = ['agent', 'serve', '--transport', 'unix', '--socket', 'C:\\x\\turnout.sock'];
  const { code, stderr } = await run(args, { place: scene(), stdin: 'ignore' }).ended;
  assert.is(code, 2);
  assert.match(stderr, /\\\\\.\\pipe\\NAME/);
});

test('HTTP: a turn, with the store on disk', async () => {
  const where = scene();
  const server = run(['agent', 'serve', '--transport', 'http', '--port', '0', '--auth-token', 's3cret'], {
    place: where,
    stdin: 'ignore',
  });
  let said = '';
  server.child.stderr?.on('data', (text: string) => {
    said += text;
  });
  await until('it listens', () => /listening on http\S+/.test(said), 20_000);
  test.after(() => void server.child.kill('SIGKILL'));
  const url = /listening on (http\S+)/.exec(said)?.[1] ?? '';
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json' },
    body: JSON.stringify({ op: 'exec', runtime: 'demo', prompt: 'hello' }),
  });
  assert.match(await answer.text(), /Hello!/);
  server.child.kill('SIGKILL');
  await server.ended;
});

test.run();
