import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ErrorEvent, Event, ResultEvent } from '../../src/contract/event.js';
import type { Action } from '../../src/runner/action.js';
import { orderFault } from '../contract/order.js';
import { finish, settled, stage, text } from './stage.js';

const of = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
const ordered = (events: readonly Event[]) => orderFault(JSON.parse(JSON.stringify(events)));
const toolStart = (id: string): Action => ({
  do: 'say',
  event: { type: 'tool_activity', phase: 'start', id, name: 'Bash', kind: 'shell', input: { command: 'ls' } },
});
const toolEnd = (id: string): Action => ({
  do: 'say',
  event: { type: 'tool_activity', phase: 'end', id, ok: true, output: 'out' },
});

test('a good turn is start, text, result, done, and its tree is ended', async () => {
  const on = await stage();
  on.act(text('Hello '), text('world'), finish);
  on.exit();
  assert.is(await on.turn.done, 0);
  assert.equal(on.types(), ['start', 'assistant', 'assistant', 'result', 'done']);
  assert.is(of(on.events, 'result')[0]?.text, 'Hello world');
  assert.is(on.ends.length, 1);
  assert.is(ordered(on.events), null);
});

test('nothing a conversation says after its end becomes an event', async () => {
  const on = await stage();
  on.act(text('a'), finish, text('late'));
  on.act(text('later'));
  on.exit();
  await on.turn.done;
  on.handlers.line('{}');
  assert.equal(on.types(), ['start', 'assistant', 'result', 'done']);
});

test('what is written is a line for readers that also break at the separators of Unicode', async () => {
  const on = await stage();
  on.act({ do: 'write', line: JSON.stringify({ text: 'a\u2028b\u2029c' }) });
  assert.equal(on.written, ['{"text":"a\\u2028b\\u2029c"}\n']);
  on.exit();
  await on.turn.done;
});

test('a process that stays after the end mark is ended, and the result stands', async () => {
  const on = await stage();
  on.act(text('a'), finish);
  assert.is(on.ends.length, 0);
  await on.tick(1000);
  assert.is(on.ends.length, 1);
  assert.is(await on.turn.done, 0);
});

test('an exit code after the end mark changes nothing', async () => {
  const on = await stage();
  on.act(text('a'), finish);
  on.exit(7);
  assert.is(await on.turn.done, 0);
});

test('an exit without an end mark is runner-error with the tail of stderr, secrets masked', async () => {
  const on = await stage();
  on.handlers.stderr('the key s3cret is bad');
  on.exit(3);
  assert.is(await on.turn.done, 1);
  const error = of(on.events, 'error')[0] as ErrorEvent;
  assert.is(error.code, 'runner-error');
  assert.match(error.message, 'exited with code 3');
  assert.match(error.message, 'the key [masked] is bad');
});

test('a signal is named', async () => {
  const on = await stage();
  on.exit(null, 'SIGSEGV');
  await on.turn.done;
  assert.match((of(on.events, 'error')[0] as ErrorEvent).message, 'SIGSEGV');
});

test('an end mark without text, thinking or tools is an error, whatever it says', async () => {
  const on = await stage();
  on.act(finish);
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.is(of(on.events, 'error')[0]?.code, 'runner-error');
  const refused = await stage();
  refused.act({ do: 'finish', outcome: { ok: true, stopReason: 'refusal' } });
  refused.exit(0);
  assert.is(await refused.turn.done, 0);
});

test('a conversation may learn from an exit that another process has to follow', async () => {
  const invocation = { argv: ['/bin/agent'], env: {}, stdin: 'hold', stdout: 'pipe' } as const;
  let exits = 0;
  const on = await stage({
    answer: (heard) => {
      if (heard.type !== 'exit') return [];
      exits++;
      return exits === 1 ? [{ do: 'between' }, { do: 'spawn', invocation }] : [text('a'), finish];
    },
  });
  on.exit(0);
  await on.tick(0);
  assert.is(on.heard.filter((heard) => heard.type === 'spawned').length, 2);
  on.exit(0);
  assert.is(await on.turn.done, 0);
  assert.equal(on.types(), ['start', 'assistant', 'result', 'done']);
});

test('a conversation that has nothing to ask with has its tree ended at once', async () => {
  const outcome = { ok: false, code: 'cancelled', message: 'signals alone' } as const;
  const on = await stage({ answer: (heard) => (heard.type === 'stop' ? [{ do: 'finish', outcome }] : []) });
  on.turn.cancel();
  assert.is(on.ends.length, 1);
  assert.is(await on.turn.done, 130);
});

test('cancel asks first, then ends the tree, then tells', async () => {
  const on = await stage();
  on.act(text('a'), toolStart('t1'));
  on.turn.cancel();
  assert.is(on.heard.at(-1)?.type, 'stop');
  assert.is(on.ends.length, 0, 'it was given the time to end by itself');
  assert.equal(on.types().includes('error'), false);
  await on.tick(1500);
  assert.is(on.ends.length, 1);
  assert.is(await on.turn.done, 130);
  assert.equal(on.types(), ['start', 'assistant', 'tool_activity', 'tool_activity', 'error', 'done']);
  const end = of(on.events, 'tool_activity')[1];
  assert.is(end?.phase === 'end' && end.cancelled, true);
});

test('a second cancel skips the waiting', async () => {
  const on = await stage();
  on.turn.cancel();
  on.turn.cancel();
  assert.equal(on.ends, [{ now: true, termMs: 1000, killMs: 500 }]);
  assert.is(await on.turn.done, 130);
});

test('what could not be killed is named', async () => {
  const on = await stage({ survivors: [77] });
  on.turn.cancel();
  on.turn.cancel();
  await on.turn.done;
  assert.match((of(on.events, 'error')[0] as ErrorEvent).message, '77');
});

test('a cancel that comes before the spawn is start, error, done', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting = stage({ launch: () => held });
  const on = await waiting;
  on.turn.cancel();
  release();
  assert.is(await on.turn.done, 130);
  assert.equal(on.types(), ['start', 'error', 'done']);
  assert.is(on.ends.length, 1, 'what was started meanwhile is ended');
});

test('a turn past its deadline ends with 124, closing what is open', async () => {
  const on = await stage({ limits: { timeoutMs: 5000 } });
  on.act(text('a'));
  await on.tick(5000);
  on.exit(0);
  assert.is(await on.turn.done, 124);
  const error = of(on.events, 'error')[0] as ErrorEvent;
  assert.is(error.reason, 'deadline');
});

test('silence counts only while nothing of ours is open', async () => {
  const on = await stage({ limits: { idleMs: 1000 } });
  on.act(toolStart('t1'));
  await on.tick(5000);
  assert.equal(on.types(), ['start', 'tool_activity']);
  on.act(toolEnd('t1'));
  await on.tick(999);
  assert.is(on.heard.at(-1)?.type, 'line');
  await on.tick(1001);
  assert.is(on.heard.at(-1)?.type, 'stop');
  on.exit(0);
  assert.is(await on.turn.done, 124);
});

test('another session than the one to be continued is an error', async () => {
  const on = await stage({ request: { resume: 'old' } });
  on.act({ do: 'say', event: { type: 'session', session_id: 'new' } });
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.is(of(on.events, 'error')[0]?.code, 'session-not-found');
});

test('a fault in a conversation ends as runner-error', async () => {
  const on = await stage({
    answer: (heard) => {
      if (heard.type === 'stderr') throw new Error('our own mistake');
      return [];
    },
  });
  on.handlers.stderr('x');
  on.exit(0);
  assert.is(await on.turn.done, 1);
  assert.match(of(on.events, 'error')[0]?.message ?? '', 'our own mistake');
});

test('a failed start is start, error, done', async () => {
  const on = await stage({ launch: () => Promise.reject(new Error('no such file')) });
  assert.is(await on.turn.done, 1);
  assert.equal(on.types(), ['start', 'error', 'done']);
  assert.is(on.events[0]?.type === 'start' && on.events[0].child_pid, undefined);
});

test('a text that is too long for result is left out there and whole in the stream', async () => {
  const on = await stage();
  const big = 'x'.repeat(700_000);
  on.act(text(big), text(big), finish);
  on.exit();
  await on.turn.done;
  const said = of(on.events, 'assistant');
  assert.is(said.map((event) => event.text).join('').length, 1_400_000);
  for (const event of on.events) assert.ok(Buffer.byteLength(JSON.stringify(event)) < 1024 * 1024);
  const result = of(on.events, 'result')[0] as ResultEvent;
  assert.is(result.text, undefined);
  assert.is(result.text_omitted, true);
});

test('a second process of the same turn starts when the first is gone', async () => {
  const on = await stage();
  on.act(text('one'), {
    do: 'spawn',
    invocation: { argv: ['/bin/agent', 'again'], env: {}, stdin: 'hold', stdout: 'pipe' },
  });
  on.exit(0);
  await settled();
  assert.is(on.heard.filter((heard) => heard.type === 'spawned').length, 2);
  on.act(text('two', 'm2'), finish);
  on.exit(0);
  assert.is(await on.turn.done, 0);
  assert.is(of(on.events, 'start').length, 1);
  assert.is(of(on.events, 'result')[0]?.text, 'two');
});

test('retried text replaces what it repeats in result.text', async () => {
  const on = await stage();
  on.act(text('Hello wor', 'm1'), {
    do: 'say',
    event: { type: 'assistant', text: 'Hello world', message_id: 'm2', replaces: 'm1' },
  });
  on.act(finish);
  on.exit();
  await on.turn.done;
  assert.is(of(on.events, 'result')[0]?.text, 'Hello world');
});

test.run();
