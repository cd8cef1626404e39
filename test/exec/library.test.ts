import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type * as Library from '../../src/index.js';
import { leftovers } from '../contract/cli.js';
import { readGolden } from '../contract/golden.js';
import { orderFault } from '../contract/order.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const home = mkdtempSync(join(tmpdir(), 'turnout-library-'));
const mark = `library-${process.pid}-${Date.now()}`;
const env = { XDG_STATE_HOME: home, TURNOUT_TEST_MARK: mark };
const built = pathToFileURL(join(root, 'dist', 'index.js')).href;
const library: typeof Library = await import(built);
const { exec, scan, runners, UsageError } = library;

const wire = (events: readonly Library.Event[]) => JSON.parse(JSON.stringify(events));

async function read(turn: Library.Turn, hear?: (event: Library.Event) => void): Promise<Library.Event[]> {
  const events: Library.Event[] = [];
  for await (const event of turn) {
    events.push(event);
    hear?.(event);
  }
  return events;
}

test('a turn in this process has the events of the command line', async () => {
  const turn = exec({
    runtime: 'demo',
    prompt: 'tool create_nodes {"count":2,"labels":["Zażółć","{}"]}',
    env,
    tools: {
      create_nodes: {
        description: 'The tool create_nodes.',
        schema: z.object({ count: z.number(), labels: z.array(z.string()) }),
        // Checked by the compiler: these have the schema's types.
        run: ({ count, labels }) => `created ${count.toFixed(0)} nodes${labels.length > 5 ? '!' : ''}`,
      },
    },
  });
  const events = await read(turn);
  assert.is(orderFault(wire(events)), null);
  const golden = readGolden('tool-loop').trimEnd().split('\n');
  assert.equal(
    events.map(({ type }) => type),
    golden.map((line) => JSON.parse(line).type),
  );
  const result = await turn.result();
  assert.is(result.ok, true);
  assert.match(String(result.text), 'created 2 nodes');
  assert.type(result.sessionId, 'string');
});

test('JSON Schema and a tool without a schema work beside each other', async () => {
  const { text } = await exec({
    runtime: 'demo',
    prompt: 'tools a {"n":1} & b {"free":true}',
    env,
    tools: {
      a: {
        description: 'a tool of the test',
        schema: { type: 'object', properties: { n: { type: 'number' } } },
        run: ({ n }) => ({ twice: Number(n) * 2 }),
      },
      b: { description: 'a tool of the test', run: (args) => Object.keys(args).join() },
    },
  }).result();
  assert.match(String(text), /\{"twice":2\}/);
  assert.match(String(text), /free/);
});

test('bad options throw at once, before anything is started', () => {
  const wrong: [Partial<Library.LibraryOptions>, RegExp][] = [
    [{ prompt: ' ' }, /prompt/],
    [{ runtime: '' }, /runtime/],
    [{ access: JSON.parse('"ful"') }, /did you mean full/],
    [{ maxTurns: 0 }, /maxTurns/],
    [{ budgetUsd: Number.NaN }, /budgetUsd/],
    [{ timeoutMs: -1 }, /timeoutMs/],
    [{ cwd: join(home, 'nowhere') }, /no such folder/],
    [{ env: { 'A B': '1' } }, /env/],
    [{ access: 'read', sandbox: 'full' }, /contradicts/],
    [{ mcpServers: { x: JSON.parse('{"url":3}') } }, /^mcpServers\.x\.url/],
    [{ signal: JSON.parse('{}') }, /AbortSignal/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(
      () => exec({ runtime: 'demo', prompt: 'hi', ...options }),
      (error: unknown) => error instanceof UsageError && message.test(error.message),
      JSON.stringify(options),
    );
  }
});

test('a refusal is told by events, not thrown', async () => {
  const turn = exec({ runtime: 'no-such-thing', prompt: 'hi', env });
  assert.equal(
    (await read(turn)).map(({ type }) => type),
    ['start', 'error', 'done'],
  );
  const result = await turn.result();
  assert.is(result.error?.code, 'no-runner');
  assert.is(result.exitCode, 2);
});

test('a failed turn keeps its code and hint', async () => {
  const { error, ok, stopReason } = await exec({ runtime: 'demo', prompt: 'rate-limit 2', env }).result();
  assert.is(ok, false);
  assert.is(error?.code, 'rate-limited');
  assert.is(stopReason, 'error');
});

test('a permission handler lets a call through', async () => {
  const seen: string[] = [];
  const { text } = await exec({
    runtime: 'demo',
    prompt: 'ask',
    env,
    onPermission(question) {
      seen.push(question.kind);
      return 'allow_once';
    },
  }).result();
  assert.equal(seen, ['shell']);
  assert.match(String(text), /allow/);
});

test('guidance reaches the agent', async () => {
  const turn: Library.Turn = exec({
    runtime: 'demo',
    prompt: 'tool wait {} then say The end.',
    env,
    tools: {
      wait: {
        description: 'a tool of the test',
        run() {
          // Not awaited: the agent looks for guidance between two steps, and this call is one.
          delivered = turn.steer('be brief');
          return 'waited';
        },
      },
    },
  });
  let delivered = Promise.resolve(false);
  const events = await read(turn);
  assert.is(await delivered, true);
  assert.ok(events.some((event) => event.type === 'status' && event.steer?.delivered === true));
});

test('a signal ends the turn, and nothing of it stays', async () => {
  const controller = new AbortController();
  const turn = exec({ runtime: 'demo', prompt: 'hang', env, signal: controller.signal });
  const events = await read(turn, (event) => {
    if (event.type === 'assistant') controller.abort();
  });
  assert.is(events.at(-2)?.type, 'error');
  assert.is((await turn.result()).error?.code, 'cancelled');
  assert.equal(await leftovers(mark), []);
});

test('leaving the loop early ends the turn, and nothing of it stays', async () => {
  for await (const event of exec({ runtime: 'demo', prompt: 'hang hard', env })) if (event.type === 'assistant') break;
  assert.equal(await leftovers(mark), []);
});

test('two turns at once do not get mixed up', async () => {
  const texts = await Promise.all(
    ['one', 'two', 'three'].map((word) => exec({ runtime: 'demo', prompt: `say ${word}`, env }).result()),
  );
  assert.equal(
    texts.map(({ text }) => text),
    ['one', 'two', 'three'],
  );
});

test('a turn is recorded, and the recording is a runtime', async () => {
  const record = join(home, 'turn.ndjson');
  await exec({ runtime: 'demo', prompt: 'say recorded', env, record }).result();
  const { text } = await exec({ runtime: `replay:${record}`, prompt: 'anything', speed: 'max' }).result();
  assert.is(text, 'recorded');
  assert.throws(
    () => exec({ runtime: 'demo', prompt: 'x', record: home }),
    (error: unknown) => error instanceof UsageError && /--record/.test(error.message),
  );
});

test('scan and the list of runners are there; a runner of the host comes first', async () => {
  const demo = runners.find(({ id }) => id === 'demo');
  assert.ok(demo);
  const { agents } = await scan({ all: true, runners: [{ ...demo, id: 'mine', title: 'Mine' }] });
  assert.is(agents[0]?.id, 'mine');
  const { text } = await exec({
    runtime: 'mine',
    prompt: 'say hi',
    env,
    runners: [{ ...demo, id: 'mine', title: 'Mine' }],
  }).result();
  assert.is(text, 'hi');
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
