// limit: 120s

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers, place } from './cli.js';
import { type FlatEvent, readFlat } from './flat-struct.js';
import { readGolden } from './golden.js';
import { type HostOutcome, type HostTurn, hostArgv, hostExec } from './host.js';
import { verdict } from './host-verdict.js';
import { scratch } from './scratch.js';

const test = suite('the best-known host');

/** What the public fixtures of revision 4 assert of a stream, whichever way it was read. */
function streamHolds(flat: readonly FlatEvent[], exit: number): void {
  for (const event of flat) assert.is(event.number('v'), 1);
  assert.is(flat[0]?.type, 'start');
  assert.is(flat.at(-1)?.type, 'done');
  assert.is(flat.filter((event) => event.type === 'done').length, 1);
  assert.is(flat.at(-1)?.number('exit_code'), exit);
  for (const event of flat) if (event.type === 'error') assert.is(event.value('exit_code'), undefined);
}

function golden(name: string): FlatEvent[] {
  const lines = readGolden(name).split('\n').filter(Boolean);
  const flat = lines.map(readFlat).filter((event) => event !== null);
  assert.is(flat.length, lines.length, 'no line is lost');
  assert.ok(flat.length > 0, `fixtures/contract/${name}.ndjson`);
  return flat;
}

async function live(turn: HostTurn, control: Parameters<typeof hostExec>[1] = {}): Promise<HostOutcome> {
  const where = control.place ?? place();
  const outcome = await hostExec(turn, { ...control, place: where });
  assert.equal(outcome.skipped, [], 'no line is lost');
  assert.not.ok(outcome.interrupted && outcome.exitCode === null, 'done was seen');
  assert.not.ok(outcome.killed, 'nothing had to be killed');
  assert.equal(await leftovers(where.mark), []);
  return outcome;
}

const types = (flat: readonly FlatEvent[]) => flat.map((event) => event.type).join(' ');
const SUCCESS = 'start session assistant assistant usage result done';
const LOOP = 'start session tool_call tool_result assistant usage usage result done';
const createNodes = {
  name: 'create_nodes',
  description: 'Creates nodes',
  schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
  run: async (args: string) => {
    assert.match(args, /count/);
    return 'created 2 nodes';
  },
};

test('reads the golden success: figures and text of result', () => {
  const flat = golden('success');
  streamHolds(flat, 0);
  assert.is(types(flat), SUCCESS);
  const seen = verdict(flat, { cancelled: false, processCode: 0 });
  assert.is(seen.text, 'It is forty-two.');
  assert.is(seen.failure, null);
  assert.equal(seen.usage, { input: 2, output: 4, cost: 0.000022 });
});

test('runs a good turn with its own argv', async () => {
  const outcome = await live({ prompt: 'think', more: ['--effort', 'off'] });
  streamHolds(outcome.flat, 0);
  assert.is(types(outcome.flat), SUCCESS);
  assert.is(outcome.text, 'It is forty-two.');
  assert.is(outcome.failure, null);
  assert.ok(outcome.session);
  assert.equal(outcome.usage, { input: 2, output: 4, cost: 0.000022 });
});

test('reads and runs the tool loop', async () => {
  streamHolds(golden('tool-loop'), 0);
  const outcome = await live({ prompt: 'tool create_nodes {"count":2}', tools: [createNodes] });
  for (const flat of [golden('tool-loop'), outcome.flat]) {
    assert.is(types(flat), LOOP);
    const echo = flat.find((event) => event.type === 'tool_result')?.value('result');
    assert.is(
      echo?.is === 'object' ? JSON.stringify(echo.fields.get('text')) : '',
      '{"is":"string","value":"created 2 nodes"}',
    );
  }
  assert.is(outcome.text, 'create_nodes answered: created 2 nodes');
});

test('answers parallel calls as they complete', async () => {
  let release = () => {};
  const second = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = { name: 'slow', description: 'Waits for the other', run: () => second.then(() => 'slow answer') };
  const fast = {
    name: 'fast',
    description: 'Frees the other',
    async run() {
      release();
      return 'fast answer';
    },
  };
  const outcome = await live({ prompt: 'tools slow {} & fast {}', tools: [slow, fast] });
  assert.is(outcome.text, 'slow answered: slow answer\nfast answered: fast answer');
  const echoes = outcome.flat.filter((event) => event.type === 'tool_result').map((event) => event.text('id'));
  assert.equal(echoes, ['tc_2', 'tc_1']);
});

test('only the fatal streams are fatal', async () => {
  for (const name of ['success', 'tool-loop', 'timeout', 'cancel', 'bad-frame']) {
    assert.not.ok(
      golden(name).some((event) => event.type === 'error' && event.flag('fatal')),
      name,
    );
  }
  const outcome = await live({ prompt: 'auth' });
  for (const flat of [golden('fatal-auth'), outcome.flat]) {
    streamHolds(flat, 1);
    const error = flat.find((event) => event.type === 'error');
    assert.equal([error?.text('code'), error?.flag('fatal')], ['auth', true]);
  }
  assert.is(outcome.failure?.code, 'auth');
  assert.is(outcome.processCode, 1);
});

test('sees a timeout as such', async () => {
  streamHolds(golden('timeout'), 124);
  const outcome = await live({ prompt: 'hang', timeoutMs: 1500 });
  streamHolds(outcome.flat, 124);
  assert.is(outcome.processCode, 124);
  assert.ok(outcome.flat.some((event) => event.text('code') === 'timeout' && !event.flag('fatal')));
});

test('cancels a plain turn without having to kill it', async () => {
  streamHolds(golden('cancel'), 130);
  const outcome = await live(
    { prompt: 'hang hard' },
    { onEvent: (event, act) => event.type === 'assistant' && act.cancel() },
  );
  assert.is(outcome.processCode, 130);
  assert.is(outcome.failure?.code, 'cancelled');
});

test('cancels while a caller tool is running', async () => {
  const never = { name: 'never', description: 'Never answers', run: () => new Promise<string>(() => {}) };
  const outcome = await live(
    { prompt: 'tool never {}', tools: [never] },
    { onEvent: (event, act) => event.type === 'tool_call' && act.cancel() },
  );
  assert.is(outcome.processCode, 130);
});

test('cancels in the middle of much text that it no longer reads', async () => {
  let deltas = 0;
  const outcome = await live(
    { prompt: 'big 30' },
    { onEvent: (event, act) => event.type === 'assistant' && ++deltas === 3 && act.cancel() },
  );
  assert.is(outcome.processCode, 130);
});

test('goes on after a bad frame', async () => {
  streamHolds(golden('bad-frame'), 0);
  const outcome = await live(
    { prompt: 'tool create_nodes {"count":2}', tools: [createNodes] },
    { onEvent: (event, act) => event.type === 'session' && act.raw('{"oops"') },
  );
  streamHolds(outcome.flat, 0);
  assert.is(outcome.failure, null);
  assert.ok(outcome.flat.some((event) => event.text('code') === 'bad-frame'));
});

test('gets an answer to every flag it knows, in its order', async () => {
  const folder = scratch('argv');
  const turn: HostTurn = {
    prompt: 'system then remember',
    model: 'demo-1',
    system: 'Be brief.',
    timeoutMs: 250_000,
    budgetUsd: 1e-5,
    toolTimeoutMs: 250,
    tools: [],
  };
  const argv = hostArgv(turn, '/project', folder);
  const flags = argv.filter((word) => word.startsWith('--')).join(' ');
  assert.is(
    flags,
    '--runtime --model --cwd --timeout --budget-usd --tool-timeout --prompt-file --system-file --tools --tools-file',
  );
  assert.ok(argv.includes('1e-05') && argv.includes('250s') && argv.includes('250ms'));
  assert.is(statSync(join(folder, 'prompt')).mode & 0o077, 0);
  const outcome = await live({ ...turn, budgetUsd: 1 });
  assert.match(outcome.text, /This is the first prompt/);
});

test('continues a session', async () => {
  const where = place();
  const first = await hostExec({ prompt: 'my name is Ada' }, { place: where });
  const second = await hostExec({ prompt: 'remember', resume: first.session }, { place: where });
  assert.is(second.session, first.session);
  assert.match(second.text, /1\. my name is Ada/);
});

test('gets every text whole, whatever its characters and its length', async () => {
  const unicode = await live({ prompt: 'unicode' });
  assert.match(unicode.text, /Zażółć gęślą jaźń\. 日本語の文章。/u);
  assert.match(unicode.text, /👩🏽‍🚀👨‍👩‍👧‍👦🇪🇺/u);
  assert.ok(unicode.text.includes('line\u2028separator\u2029paragraph'));
  const long = await live({ prompt: 'long' });
  assert.is(long.text.length, 64 * 1024);
  const big = await live({ prompt: 'big 3 one' });
  assert.is(Buffer.byteLength(big.text), 3 * 1024 * 1024);
});

test.run();
