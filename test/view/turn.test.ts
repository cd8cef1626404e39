import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import type { Item } from '../../src/view/item.js';
import { advance, emptyTurn, type Heard, type TurnView, withoutEnded } from '../../src/view/turn.js';
import { done, says, start } from '../runs/fake-turn.js';

const test = suite('events → what a person sees');

const numbered = (events: readonly Event[], from = 1): Heard[] =>
  events.map((event, index) => ({ seq: from + index, event }));
const view = (events: readonly Event[]): TurnView => advance(emptyTurn, numbered(events));
const kinds = ({ items }: TurnView) => items.map(({ kind }) => kind);
const tool = (item: Item | undefined) => {
  if (item?.kind !== 'tool') throw new Error('expected a tool');
  return item;
};

const begins = (id: string, parent: string | null = null): Event => ({
  v: 1,
  type: 'tool_activity',
  phase: 'start',
  id,
  name: 'bash',
  kind: 'shell',
  input: { command: `run ${id}` },
  parent_tool_use_id: parent,
});
const ends = (id: string, more: object = {}): Event => ({
  v: 1,
  type: 'tool_activity',
  phase: 'end',
  id,
  name: 'bash',
  ok: true,
  output: 'out',
  output_truncated: false,
  duration_ms: 7,
  ...more,
});

test('deltas of one message are one text, a new id a new one', () => {
  const { items } = view([start, says('a'), says('b'), { v: 1, type: 'assistant', text: 'c', message_id: 'm2' }]);
  assert.equal(
    items.map((item) => (item.kind === 'text' ? item.text : item.kind)),
    ['ab', 'c'],
  );
});

test('the same log in any pieces gives the same view', () => {
  const events = [start, says('a'), begins('t1'), begins('t2', 't1'), ends('t2'), ends('t1'), says('b'), done()];
  const whole = view(events);
  for (let size = 1; size < events.length; size++) {
    let now = emptyTurn;
    for (let at = 0; at < events.length; at += size) now = advance(now, numbered(events.slice(at, at + size), at + 1));
    assert.equal(now, whole, `pieces of ${size}`);
  }
});

test('what was heard before is left out, so that a second connection doubles nothing', () => {
  const log = numbered([start, says('a'), says('b')]);
  const once = advance(emptyTurn, log);
  assert.equal(advance(once, log.slice(1)), once);
});

test('items that did not change stay the same objects', () => {
  const before = view([start, says('a'), begins('t1')]);
  const after = advance(before, [{ seq: 4, event: ends('t1') }]);
  assert.is(after.items[0], before.items[0]);
  assert.is.not(after.items[1], before.items[1]);
  assert.is(tool(before.items[1]).state, 'running');
});

test('a tool ends in a word', () => {
  const state = (more: object) => tool(view([start, begins('t1'), ends('t1', more)]).items[0]).state;
  assert.is(state({}), 'ok');
  assert.is(state({ ok: false, exit_code: 2 }), 'failed');
  assert.is(state({ ok: false, denied: true }), 'denied');
  assert.is(state({ ok: false, cancelled: true }), 'cancelled');
});

test('what a subagent does is inside of the call that began it', () => {
  const { items } = view([start, begins('t1'), begins('t2', 't1'), begins('t3', 't2')]);
  assert.equal(
    items.map((item) => tool(item).depth),
    [0, 1, 2],
  );
});

test('a message that a vendor says again marks the first one', () => {
  const again: Event = { v: 1, type: 'assistant', text: 'b', message_id: 'm2', replaces: 'm1' };
  const [first, second] = view([start, says('a'), again]).items;
  assert.is(first?.kind === 'text' && first.replaced, true);
  assert.is(second?.kind === 'text' && second.replaced, false);
});

test('what is not known stays null, and totals of the end count', () => {
  const usage = (input_tokens: number | null, cost_usd: number | null): Event => ({
    v: 1,
    type: 'usage',
    input_tokens,
    output_tokens: null,
    cost_usd,
  });
  assert.is(view([start]).totals.cost_usd, null);
  assert.equal(view([start, usage(1, null), usage(2, null)]).totals, {
    input_tokens: 3,
    output_tokens: null,
    cached_tokens: null,
    cost_usd: null,
  });
  const totals = { input_tokens: 9, output_tokens: 1, cached_tokens: null, cost_usd: 0.5 };
  assert.equal(view([start, usage(1, null), { ...done(), totals } as Event]).totals, totals);
});

test('events that are no longer kept are a gap, and an end without its beginning is shown', () => {
  const now = advance(emptyTurn, [{ gap: { from: 1, to: 8 } }, { seq: 9, event: ends('t1') }]);
  assert.equal(kinds(now), ['gap', 'tool']);
  assert.is(tool(now.items[1]).state, 'ok');
  assert.is(now.seq, 9);
});

test('a plan is shown once, as it is now', () => {
  const plan = (status: 'pending' | 'completed'): Event => ({
    v: 1,
    type: 'plan',
    entries: [{ content: 'x', status }],
  });
  const { items } = view([start, plan('pending'), plan('completed')]);
  assert.is(items.length, 1);
  assert.is(items[0]?.kind === 'plan' && items[0].entries[0]?.status, 'completed');
});

test('who shows each item once keeps only what is not over', () => {
  const kept = withoutEnded(view([start, says('a'), begins('t1'), begins('t2'), ends('t1')]));
  assert.equal(kinds(kept), ['tool']);
  assert.is(tool(advance(kept, [{ seq: 6, event: ends('t2') }]).items[0]).state, 'ok');
});

test.run();
