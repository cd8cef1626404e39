// limit: 300s
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type * as ClientLibrary from '../../src/client/index.js';
import { leftovers, TURNOUT } from '../contract/cli.js';
import { goldenFile, readGolden } from '../contract/golden.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const built = pathToFileURL(join(root, 'dist', 'client', 'index.js')).href;
const library: typeof ClientLibrary = await import(built);
const { connect, TurnoutError, UsageError } = library;

const home = mkdtempSync(join(tmpdir(), 'turnout-client-'));
const mark = `client-${process.pid}-${Date.now()}`;
const bare = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: home, TURNOUT_TEST_MARK: mark };
const real = () => connect({ bin: TURNOUT, env: bare });

const fake = join(root, 'fixtures', 'bin', 'speaks-as-turnout.js');
const HELLO = {
  v: 1,
  name: 'turnout',
  version: '9.9.9',
  protocol: 1,
  rev: 30,
  min_caller: '1.0.0',
  capabilities: ['agent-exec', 'agent-scan'],
};
/** A turnout that prints a file. */
function played(stream: string, exit = 0, hello: unknown = HELLO) {
  const env = { ...bare, FAKE_HELLO: `${JSON.stringify(hello)}\n`, FAKE_STREAM: stream, FAKE_EXIT: String(exit) };
  return connect({ bin: fake, env });
}
function file(name: string, text: string): string {
  writeFileSync(join(home, name), text);
  return join(home, name);
}

async function failure(call: Promise<unknown>): Promise<InstanceType<typeof TurnoutError>> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TurnoutError) return error;
  throw error ?? new Error('it did not fail');
}

test('a turn with tools, in a process of its own', async () => {
  const turnout = await real();
  assert.is(turnout.handshake.name, 'turnout');
  const turn = turnout.exec({
    runtime: 'demo',
    prompt: 'tool create_nodes {"count":2}',
    tools: {
      create_nodes: {
        description: 'a tool of the test',
        schema: z.object({ count: z.number() }),
        run: ({ count }) => `created ${count.toFixed()}`,
      },
    },
  });
  const types: string[] = [];
  for await (const event of turn) types.push(event.type);
  assert.equal(
    types,
    readGolden('tool-loop')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  );
  assert.match(String((await turn.result()).text), 'created 2');
});

test('permissions, guidance and options reach the other side', async () => {
  const turnout = await real();
  const asked = await turnout.exec({ runtime: 'demo', prompt: 'ask', onPermission: () => 'allow_once' }).result();
  assert.match(String(asked.text), 'allow_once');
  const env = await turnout.exec({ runtime: 'demo', prompt: 'env WORD', env: { WORD: 'given', TWO: 'a\nb' } }).result();
  assert.match(String(env.text), 'given');
  const system = await turnout.exec({ runtime: 'demo', prompt: 'system', system: 'be kind' }).result();
  assert.match(String(system.text), 'be kind');
  const limited = await turnout.exec({ runtime: 'demo', prompt: 'hang', timeoutMs: 600 }).result();
  assert.is(limited.error?.code, 'timeout');
  assert.is(limited.exitCode, 124);
});

test('cancelling, aborting and leaving the loop end the turn, and nothing of it stays', async () => {
  const turnout = await real();
  const controller = new AbortController();
  const aborted = turnout.exec({ runtime: 'demo', prompt: 'hang', signal: controller.signal });
  for await (const event of aborted) if (event.type === 'assistant') controller.abort();
  assert.is((await aborted.result()).error?.code, 'cancelled');
  for await (const event of turnout.exec({ runtime: 'demo', prompt: 'hang hard' }))
    if (event.type === 'assistant') break;
  const early = turnout.exec({ runtime: 'demo', prompt: 'hang' });
  early.cancel();
  assert.is((await early.result()).exitCode, 130);
  assert.equal(await leftovers(mark), []);
});

test('a turn leaves no files behind', async () => {
  const tmp = join(home, 'tmp');
  mkdirSync(tmp);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = tmp;
  try {
    await (await real()).exec({ runtime: 'demo', prompt: 'say hi', env: { A: '1' } }).result();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  assert.equal(readdirSync(tmp), []);
});

test('what is wrong with options is thrown at once, or where the events are read', async () => {
  const turnout = await real();
  assert.throws(() => turnout.exec({ runtime: 'demo', prompt: '' }), /prompt/);
  assert.throws(() => turnout.exec({ runtime: 'demo', prompt: 'x', cwd: join(home, 'nowhere') }), /no such folder/);
  const turn = turnout.exec({ runtime: 'demo', prompt: 'x', outputSchema: { type: 'nonsense' } });
  const thrown = await failure(turn.result());
  assert.instance(thrown, UsageError);
  assert.match(thrown.message, /^outputSchema: not a JSON Schema/);
  assert.is(await failure(turn[Symbol.asyncIterator]().next()), thrown);
});

test('scan asks the other side', async () => {
  const { agents } = await (await real()).scan({ all: true });
  assert.ok(agents.some(({ id }) => id === 'demo'));
});

for (const name of readdirSync(join(goldenFile('x'), '..')).filter((one) => one.endsWith('.ndjson'))) {
  test(`golden ${name} is read as it was meant`, async () => {
    const lines = readGolden(name.replace('.ndjson', '')).trimEnd().split('\n');
    const end = JSON.parse(lines.at(-1) ?? '{}');
    const turn = (await played(goldenFile(name.replace('.ndjson', '')), end.exit_code)).exec({
      runtime: 'demo',
      prompt: 'x',
    });
    const events: unknown[] = [];
    for await (const event of turn) events.push(event);
    assert.equal(
      events,
      lines.map((line) => JSON.parse(line)),
    );
    const result = await turn.result();
    assert.is(result.exitCode, end.exit_code);
    assert.is(result.ok, end.exit_code === 0);
    assert.is(result.error === null, end.exit_code === 0);
  });
}

test('lines it does not know, broken and oversized ones are skipped', async () => {
  const done = '{"v":1,"type":"done","exit_code":0,"stop_reason":"end_turn","duration_ms":1,"more":[1]}';
  const lines = [
    'a warning of node',
    '{"v":1,"type":"hologram","text":"x"}',
    '{"v":2,"type":"assistant","text":"x","message_id":"m"}',
    '{"v":1,"type":"assistant","text":"ok","message_id":"m1"}',
    `{"v":1,"type":"assistant","text":"${'x'.repeat(4 * 1024 * 1024)}","message_id":"m2"}`,
    '{"v":1,"type":"assist',
    done,
    '{"v":1,"type":"assistant","text":"after the end","message_id":"m3"}',
  ];
  const result = await (await played(file('odd.ndjson', lines.join('\n'))))
    .exec({ runtime: 'demo', prompt: 'x' })
    .result();
  assert.is(result.ok, true);
  assert.is(result.text, 'ok');
});

test('a stream that breaks off ends as an error, with a done', async () => {
  const turn = (
    await played(file('cut.ndjson', '{"v":1,"type":"assistant","text":"half","message_id":"m"}\n'), 7)
  ).exec({
    runtime: 'demo',
    prompt: 'x',
  });
  const types: string[] = [];
  for await (const event of turn) types.push(event.type);
  assert.equal(types, ['assistant', 'error', 'done']);
  assert.match((await turn.result()).error?.message ?? '', 'exit code 7');
});

test('a missing turnout is told with the install command and the places that failed', async () => {
  const error = await failure(connect({ bin: join(home, 'not-here'), env: bare }));
  assert.is(error.code, 'missing-binary');
  assert.is(error.hint, 'npm install -g turnout');
  assert.match(error.message, /TURNOUT_BIN is set to .*not-here.*does not exist/);
});

test('one that is too old or somebody else is told with the command that updates it', async () => {
  const stream = file('none', '');
  const wrong: [unknown, RegExp][] = [
    [{ ...HELLO, capabilities: [] }, /can't do what this program needs: agent-exec, agent-scan/],
    [{ ...HELLO, protocol: 2 }, /speaks protocol 2, this host 1/],
    [{ hello: 'world' }, /does not answer as turnout does/],
  ];
  for (const [hello, message] of wrong) {
    const env = { ...bare, FAKE_HELLO: JSON.stringify(hello), FAKE_STREAM: stream, FAKE_EXIT: '0' };
    const error = await failure(connect({ bin: fake, env, requires: ['agent-scan'] }));
    assert.is(error.code, 'unsupported');
    assert.match(error.message, message);
    assert.is(error.hint, 'npm install -g turnout@latest');
  }
});

test('it is found by TURNOUT_BIN, then PATH, then node_modules above the host', async () => {
  const folder = (name: string) => {
    mkdirSync(join(home, name), { recursive: true });
    const path = join(home, name, 'turnout');
    symlinkSync(fake, path);
    return path;
  };
  chmodSync(fake, 0o755);
  const onPath = folder('path');
  const local = folder('app/node_modules/.bin');
  const env = { ...bare, PATH: `${bare.PATH}:${join(home, 'path')}`, FAKE_HELLO: JSON.stringify(HELLO) };
  const from = join(home, 'app', 'dist', 'deep');
  const found = async (more: Record<string, string>) => (await connect({ env: { ...env, ...more }, from })).path;
  assert.is(await found({ TURNOUT_BIN: local }), local);
  assert.is(await found({}), onPath);
  assert.is(await found({ PATH: bare.PATH }), local);
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
