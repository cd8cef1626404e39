// Runtimes that no machine of ours has (goose, crush) fail as missing; the built-in one answers or fails by its prompt.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { runtimesOf } from '../../src/request/runtimes.js';
import { isType, run } from '../contract/cli.js';
import { orderFault } from '../contract/order.js';
import { checkEvent } from '../contract/schema-files.js';

interface Turn {
  code: number | null;
  events: readonly JsonObject[];
  stderr: string;
}

async function turn(runtimes: string, prompt: string, ...flags: string[]): Promise<Turn> {
  const args = ['agent', 'exec', '--runtime', runtimes, '--prompt', prompt, ...flags];
  const { code, events, stderr } = await run(args, { stdin: 'ignore' }).ended;
  return { code, events, stderr };
}

const typesOf = ({ events }: Turn) => events.map(({ type }) => type);
const one = ({ events }: Turn, type: string) => events.filter(isType(type));

test('what is missing is followed by the next, with one start, one done and the reason', async () => {
  const ran = await turn('goose,crush,demo', 'say hello');
  assert.is(ran.code, 0);
  assert.is(one(ran, 'start').length, 1);
  assert.is(one(ran, 'start')[0]?.['runtime'], 'goose');
  assert.equal(
    one(ran, 'status').map(({ fallback }) => fallback),
    [
      { from: 'goose', to: 'crush', code: 'missing-binary' },
      { from: 'crush', to: 'demo', code: 'missing-binary' },
    ],
  );
  assert.is(typeof one(ran, 'status')[1]?.['child_pid'], 'number');
  assert.is(one(ran, 'result')[0]?.['runtime'], 'demo');
  assert.is(one(ran, 'error').length, 0);
  assert.is(orderFault(ran.events), null);
  for (const event of ran.events) assert.is(checkEvent(event), null, JSON.stringify(event));
});

test('an exhausted account is followed by the next, and what it had used is in the totals', async () => {
  const ran = await turn('demo,goose', 'quota');
  assert.equal(one(ran, 'status')[0]?.['fallback'], { from: 'demo', to: 'goose', code: 'quota' });
  assert.is(one(ran, 'error')[0]?.['code'], 'missing-binary');
  assert.is(ran.code, 2);
});

test('a turn that has said something is not begun again elsewhere', async () => {
  const ran = await turn('demo,goose', 'say hello then quota');
  assert.is(one(ran, 'status').length, 0);
  assert.is(one(ran, 'error')[0]?.['code'], 'quota');
});

test('the fault of the caller or of the model is no reason to go on', async () => {
  const ran = await turn('demo,goose', 'silent');
  assert.is(one(ran, 'error')[0]?.['code'], 'runner-error');
  assert.equal(typesOf(ran).slice(-2), ['error', 'done']);
});

test('a session belongs to one runtime', async () => {
  const ran = await turn('demo,goose', 'x', '--resume', 'abc');
  assert.is(ran.code, 2);
  assert.equal(ran.events, []);
  assert.is(JSON.parse(ran.stderr).path, '--resume');
});

test('ids are separated by commas; a command line or a recording is one, whatever it holds', () => {
  assert.equal(runtimesOf('claude, codex'), ['claude', 'codex']);
  assert.equal(runtimesOf('acp:agent --a,b'), ['acp:agent --a,b']);
  assert.equal(runtimesOf('replay:/a,b.ndjson'), ['replay:/a,b.ndjson']);
});

test('a quota that is back soon is waited for, and the stream says so', async () => {
  const ran = await turn('demo', 'quota 200', '--wait-for-quota', '1s', '--timeout', '700ms');
  const [waits, again] = one(ran, 'status').map(({ message }) => String(message));
  assert.match(waits ?? '', /^demo failed \(quota\); the turn begins again at \d\d:\d\d, in 1 s$/);
  assert.match(again ?? '', /goes on with demo/);
  assert.is(one(ran, 'start').length, 1);
  // The next wait would be longer than what the timeout leaves.
  assert.ok(['quota', 'timeout'].includes(String(one(ran, 'error')[0]?.['code'])));
  assert.is(orderFault(ran.events), null);
  for (const event of ran.events) assert.is(checkEvent(event), null, JSON.stringify(event));
});

test('a quota is not waited for longer than allowed, nor without a word of when it is back', async () => {
  for (const prompt of ['quota 5000', 'quota']) {
    const ran = await turn('demo', prompt, '--wait-for-quota', '1s');
    assert.is(one(ran, 'status').length, 0);
    assert.is(one(ran, 'error')[0]?.['code'], 'quota');
  }
});

test('a cancel ends the wait at once', async () => {
  const program = run(['agent', 'exec', '-r', 'goose,demo', '-p', 'quota 60000', '--wait-for-quota', '2m'], {});
  await program.event((event) => String(event['message'] ?? '').includes('begins again at'));
  program.send({ v: 1, type: 'cancel' });
  const { code, events } = await program.ended;
  assert.is(code, 130);
  assert.equal(
    events.slice(-2).map(({ type, code: why, stop_reason }) => [type, why ?? stop_reason]),
    [
      ['error', 'cancelled'],
      ['done', 'cancelled'],
    ],
  );
});

test.run();
