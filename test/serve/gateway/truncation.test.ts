import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at } from '../../../src/text/json.js';
import { says, start } from '../../runs/fake-turn.js';
import { type Client, codeOf, type Room, room, session, turn } from './client.js';

const test = suite('rewinding over the gateway');
let on: Room;
let one: Client;
let id: string;

async function said(text: string): Promise<JsonObject> {
  const answer = await one.ask('prompt.submit', { session_id: id, text });
  await finish();
  return answer;
}
async function finish(): Promise<void> {
  const count = one.events('message.complete').length + 1;
  await on.begun(count);
  const now = on.turns[count - 1];
  now?.emit(start);
  now?.emit({ v: 1, type: 'session', session_id: 'native-1' });
  now?.emit(says('Yes'));
  now?.end();
  while (one.events('message.complete').length < count) await turn();
}
const history = async () => {
  const { messages } = await one.ask('session.history', { session_id: id });
  return arr(messages) ?? [];
};
const prompts = async () => (await history()).filter((row) => at(row, 'role') === 'user').map((row) => at(row, 'text'));

test.before.each(async () => {
  on = room();
  one = on.join();
  id = await session(one);
  for (const text of ['one', 'two', 'three']) await said(text);
});

const REFUSED: [string, JsonObject, number][] = [
  ['a consent without a target', { confirm_truncate: true }, 4004],
  ['a row that is true', { truncate_before_row_id: true, confirm_truncate: true }, 4004],
  ['a row that is no number', { truncate_before_row_id: 'x', confirm_truncate: true }, 4004],
  ['a row with a fraction', { truncate_before_row_id: 1.5 }, 4004],
  ['a target without consent', { truncate_before_row_id: 3 }, 4029],
  ['a target with a consent that is no true', { truncate_before_row_id: 3, confirm_truncate: 'yes' }, 4029],
  ['an unknown row without consent', { truncate_before_row_id: 99 }, 4029],
  ['an unknown row', { truncate_before_row_id: 99, confirm_truncate: true }, 4018],
  ['a row of an answer', { truncate_before_row_id: 2, confirm_truncate: true }, 4018],
  ['an unknown row whatever the ordinal', unknownRow(), 4018],
  ['an unknown message', { truncate_before_message_id: 'run_none', confirm_truncate: true }, 4018],
  ['a row and an ordinal that differ', { ...unknownRow(), truncate_before_row_id: 3 }, 4030],
  ['an ordinal alone', { truncate_before_user_ordinal: 1, confirm_truncate: true }, 4004],
  ['an ordinal out of range', { truncate_before_user_ordinal: 3, confirm_truncate: true }, 4018],
  ['the first row without a second consent', { truncate_before_row_id: 1, confirm_truncate: true }, 4028],
  ['a misspelt consent', { truncate_before_row_id: 3, confirm_truncat: true }, 4000],
];
function unknownRow(): JsonObject {
  return { truncate_before_row_id: 99, truncate_before_user_ordinal: 0, confirm_truncate: true };
}
for (const [what, params, code] of REFUSED)
  test(`${what} is refused with ${code}, and nothing is dropped`, async () => {
    const frame = await one.call('prompt.submit', { session_id: id, text: 'again', ...params });
    assert.is(codeOf(frame), code);
    assert.equal(await prompts(), ['one', 'two', 'three']);
    assert.is(on.turns.length, 3);
  });

test('a stale target says how many turns there are', async () => {
  const params = { truncate_before_row_id: 99, confirm_truncate: true };
  const frame = await one.call('prompt.submit', { session_id: id, text: 'again', ...params });
  assert.equal(at(frame, 'error', 'data'), {
    user_turn_count: 3,
    ordinal: null,
    segment_ordinal: null,
    prefix_user_count: 0,
  });
});

test('while a turn runs every rewind is busy', async () => {
  await one.ask('prompt.submit', { session_id: id, text: 'four' });
  const all: JsonObject[] = [
    { confirm_truncate: true },
    { truncate_before_row_id: 99 },
    { truncate_before_user_ordinal: true },
  ];
  for (const params of all)
    assert.is(codeOf(await one.call('prompt.submit', { session_id: id, text: 'again', ...params })), 4009);
});

test('the turn goes on from before the row, and rows that are left keep their numbers', async () => {
  const params = { truncate_before_row_id: '3', truncate_before_user_ordinal: 1, confirm_truncate: true };
  const answer = await one.ask('prompt.submit', { session_id: id, text: 'instead', ...params });
  assert.equal([answer['survivor_user_row_ids'], answer['user_row_id']], [[1], 7]);
  await finish();
  assert.equal(await prompts(), ['one', 'instead']);
  const { resume, system } = on.turns[3]?.plan.request ?? {};
  assert.is(resume, null);
  assert.match(system ?? '', /<user>\none\n<\/user>/);
  assert.not.match(system ?? '', /two|three/);
  const stale = { truncate_before_row_id: 3, confirm_truncate: true };
  assert.is(codeOf(await one.call('prompt.submit', { session_id: id, text: 'x', ...stale })), 4018);
});

test('a client that knows rows is told which of them are left', async () => {
  const params = { truncate_before_row_id: 5, confirm_truncate: true, rebind_survivor_row_ids: [1, 3, 5] };
  const answer = await one.ask('prompt.submit', { session_id: id, text: 'instead', ...params });
  assert.equal(answer['survivor_row_id_map'], { 1: 1, 3: 3, 5: null });
});

test('everything can be dropped with both consents', async () => {
  const params = { truncate_before_row_id: 1, confirm_truncate: true, confirm_empty_truncate: true };
  await one.ask('prompt.submit', { session_id: id, text: 'anew', ...params });
  await finish();
  assert.equal(await prompts(), ['anew']);
});

test('undo takes the last prompt back, and a branch keeps it', async () => {
  const branch = await one.ask('session.branch', { session_id: id, name: 'other' });
  assert.equal([branch['parent'], branch['title'], branch['message_count']], [id, 'other', 6]);
  assert.equal(await one.ask('session.undo', { session_id: id }), { removed: 2, text: 'three' });
  assert.equal(await prompts(), ['one', 'two']);
  const { count } = await one.ask('session.history', { session_id: branch['session_id'] ?? null });
  assert.is(count, 6);
  assert.is(codeOf(await one.call('session.branch', { session_id: id, name: 'other' })), 5008);
});

test('a branch while a turn runs ends with the last turn that is over', async () => {
  await one.ask('prompt.submit', { session_id: id, text: 'four' });
  assert.is(codeOf(await one.call('session.undo', { session_id: id })), 4009);
  const branch = await one.ask('session.branch', { session_id: id });
  assert.equal(
    (arr(branch, 'messages') ?? []).map((row) => at(row, 'text')),
    ['one', 'Yes', 'two', 'Yes', 'three', 'Yes'],
  );
  await finish();
  const { messages } = await one.ask('session.history', { session_id: branch['session_id'] ?? null });
  assert.is(arr(messages)?.length, 6);
});

test.run();
