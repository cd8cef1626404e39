// limit: 120s
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../../src/contract/event.js';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, isObject, num } from '../../../src/text/json.js';
import { says, start } from '../../runs/fake-turn.js';
import { type Client, isRequest, type Room, room, session, turn } from './client.js';

const test = suite('coming back to the gateway');

/** Numbers that look random and are the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** As the original clients do it: live events wait until those that were missed are in. */
interface Viewer {
  /** What was shown, by number. */
  shown: Map<number, string>;
  twice: number[];
  last(): number;
  connect(): Promise<void>;
  cut(): void;
  /** Answers what is open, if it is connected. */
  answer(id: Json): void;
}

function viewer(on: Room, id: string): Viewer {
  const shown = new Map<number, string>();
  const twice: number[] = [];
  let one: Client | null = null;
  let last = 0;
  let read = 0;
  function show(params: Json | undefined): void {
    const seq = num(params, 'seq');
    if (seq === undefined || seq <= last) return;
    if (shown.has(seq)) twice.push(seq);
    shown.set(seq, JSON.stringify({ type: at(params, 'type'), payload: at(params, 'payload') ?? null }));
    last = seq;
  }
  /** Of the connection that there is. */
  function drain(): void {
    for (; one && read < one.frames.length; read += 1) {
      const frame = one.frames[read];
      if (frame?.['method'] === 'event') show(frame['params']);
    }
  }
  return {
    shown,
    twice,
    last() {
      drain();
      return last;
    },
    async connect() {
      const mine = on.join();
      await mine.ask('client.capabilities', { server_requests: true });
      await mine.ask('session.resume', { session_id: id, omit_messages: true });
      const missed = await mine.ask('session.events.since', { session_id: id, last_seen: last });
      assert.is(missed['truncated'], false);
      for (const event of arr(missed, 'events') ?? []) show(event);
      one = mine;
      read = 0;
    },
    cut() {
      drain();
      one?.leave();
      one = null;
    },
    answer: (question) => one?.answer(question, { choice: 'once' }),
  };
}

const activity = { v: 1, type: 'tool_activity', id: 't1', name: 'bash' } as const;
const STEPS: Event[] = [
  start,
  says('One '),
  says('two.'),
  { ...activity, phase: 'start', kind: 'shell', input: { command: 'make' }, parent_tool_use_id: null },
  {
    v: 1,
    type: 'permission_request',
    id: 'pr_1',
    tool_use_id: 't1',
    name: 'bash',
    kind: 'shell',
    input: { command: 'make' },
    choices: ['allow_once', 'deny'],
  },
];
const REST: Event[] = [
  { ...activity, phase: 'end', ok: true, output: 'done', output_truncated: false, duration_ms: 9 },
  { v: 1, type: 'assistant', text: 'Three.', message_id: 'm2' },
];

test('five clients that are cut off at any time see each event of 50 turns once, and any of them answers', async () => {
  const on = room();
  const first = on.join();
  const id = await session(first);
  const pick = dice(7);
  const viewers = Array.from({ length: 5 }, () => viewer(on, id));
  for (const one of viewers) await one.connect();
  /** Cuts one off, brings one back, or lets things happen. */
  async function something(): Promise<void> {
    const one = viewers[pick(5)];
    const what = pick(4);
    if (what === 0) one?.cut();
    if (what === 1) {
      one?.cut();
      await one?.connect();
    }
    for (let i = pick(6); i > 0; i -= 1) await turn();
  }
  for (let count = 1; count <= 50; count += 1) {
    await first.ask('prompt.submit', { session_id: id, text: `prompt ${count}` });
    await on.begun(count);
    const now = on.turns[count - 1];
    for (const event of STEPS) {
      now?.emit(event);
      await something();
    }
    const sure = viewers[pick(5)];
    sure?.cut();
    await sure?.connect();
    while (first.frames.filter(isRequest).length < count) await turn();
    assert.is(first.frames.filter(isRequest).length, count);
    const question = first.frames.filter(isRequest).at(-1)?.['id'] ?? null;
    sure?.answer(question);
    while (!now?.frames.some((frame) => 'choice' in frame)) await turn();
    for (const event of REST) {
      now?.emit(event);
      await something();
    }
    now?.end();
  }
  while (first.events('message.complete').length < 50) await turn();
  const told = first.frames.flatMap((frame) => {
    const params = frame['params'];
    return isObject(params) && 'seq' in params ? [params] : [];
  });
  const numbers = told.map(({ seq }) => Number(seq));
  assert.equal(
    numbers,
    numbers.map((_, index) => index + 1),
  );
  const wanted = told.map(({ type, payload }: JsonObject) => JSON.stringify({ type, payload: payload ?? null }));
  for (const one of viewers) {
    one.cut();
    await one.connect();
    while (one.last() < numbers.length) await turn();
    assert.equal(one.twice, []);
    assert.equal([...one.shown.values()], wanted);
  }
  assert.is(on.complaints.length, 0);
});

test('a client that does not read holds nothing up and misses nothing', async () => {
  const on = room();
  const [quick, slow] = [on.join(), on.join()];
  const id = await session(quick);
  await slow.ask('session.resume', { session_id: id });
  const go = slow.stall();
  await quick.ask('prompt.submit', { session_id: id, text: 'talk' });
  await on.begun(1);
  on.turns[0]?.emit(start);
  for (let i = 0; i < 10_000; i += 1) on.turns[0]?.emit(says(`${i} `));
  on.turns[0]?.end();
  while (quick.events('message.complete').length < 1) await turn();
  const before = slow.frames.length;
  assert.ok(before < 10, `${before} frames were pressed on a client that takes none`);
  go();
  while (slow.events('message.complete').length < 1) await turn();
  const deltas = (of: Client) => of.events('message.delta').map((frame) => at(frame, 'params', 'seq'));
  assert.is(deltas(slow).length, 10_000);
  assert.equal(deltas(slow), deltas(quick));
});

test('events of an unknown session are none, and places beyond the last one say so', async () => {
  const on = room();
  const one = on.join();
  const { epoch, ...rest } = await one.ask('session.events.since', { session_id: 'ses_none', last_seen: 5 });
  assert.equal(rest, { events: [], latest_seq: 0, truncated: false, count: 0, open_requests: [] });
  assert.is(epoch, at(one.frames[0], 'params', 'payload', 'replay_epoch'));
  const id = await session(one);
  assert.is((await one.ask('session.events.since', { session_id: id, last_seen: 5 }))['truncated'], true);
});

test.run();
