import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Delta, readDelta } from '../../runners/dialects/claude-stream/delta-line.js';
import { parseObject, str } from '../../src/text/json.js';

const test = suite('claude delta lines');

const UUID = '5343bbc8-49d9-4bbe-91a4-f45f1c6d97e9';
const line = (type: 'text' | 'thinking', text: string, more: object = { session_id: 's1', parent_tool_use_id: null }) =>
  JSON.stringify({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 3, delta: { type: `${type}_delta`, [type]: text } },
    ...more,
  });

/** The plain definition that the fast one is held to. */
function slowly(text: string): Delta | null {
  const one = parseObject(text);
  if (str(one, 'type') !== 'stream_event' || str(one, 'event', 'type') !== 'content_block_delta') return null;
  const kind = str(one, 'event', 'delta', 'type');
  if (str(one, 'parent_tool_use_id') !== undefined) return null;
  if (kind === 'text_delta') return { type: 'assistant', text: str(one, 'event', 'delta', 'text') ?? '' };
  if (kind === 'thinking_delta') return { type: 'thinking', text: str(one, 'event', 'delta', 'thinking') ?? '' };
  return null;
}

test('reads text and thinking of the main agent', () => {
  const more = { session_id: 's1', parent_tool_use_id: null, uuid: UUID, api_message_id: 'msg_1' };
  assert.equal(readDelta(line('text', 'a "b"\n\\c', more)), { type: 'assistant', text: 'a "b"\n\\c' });
  assert.equal(readDelta(line('thinking', '', more)), { type: 'thinking', text: '' });
  assert.equal(readDelta(line('text', 'x', {})), { type: 'assistant', text: 'x' });
});

test('leaves every line of another form alone', () => {
  const plain = line('text', 'x');
  for (const other of [
    '',
    plain.slice(0, -1),
    `${plain} `,
    plain.replace('"index"', '"at"'),
    plain.replace(':3,', ':03,'),
    plain.replace(':3,', ':,'),
    plain.replace('"s1"', '"s\\u0031"'),
    plain.replace('"text":"x"', '"text":"x","text":"y"'),
    plain.replace('"session_id":"s1"', '"type":"result"'),
    plain.replace('"x"', '"\\x"'),
    plain.replace('"x"', '"\t"'),
    plain.replace('"x"', '"x'),
    line('text', 'x', { event: null }),
    line('text', 'x', { ttft_ms: 5 }),
    line('text', 'x', { parent_tool_use_id: 'toolu_1' }),
  ]) {
    assert.is(readDelta(other), null, other);
  }
});

test('says what the reader of all lines says, whatever the text and wherever the line is broken', () => {
  const piece = fc.oneof(fc.constantFrom('"', '\\', '}}', ',"uuid":"', '\u2028', '\n', '😀'), fc.string());
  const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const more = fc.record(
    {
      session_id: fc.constantFrom('s1', 's"'),
      uuid: fc.constant(UUID),
      parent_tool_use_id: fc.constantFrom(null, null, 'x'),
    },
    { requiredKeys: [] },
  );
  let read = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('text', 'thinking'),
      texts,
      more,
      fc.option(fc.tuple(fc.nat(400), fc.constantFrom('', '"', '\\', '}', ',', 'x', '\0'))),
      (type, text, rest, damage) => {
        const whole = line(type === 'text' ? 'text' : 'thinking', text, rest);
        const told = damage === null ? whole : whole.slice(0, damage[0]) + damage[1] + whole.slice(damage[0] + 1);
        const quick = readDelta(told);
        if (quick === null) return;
        read++;
        assert.equal(quick, slowly(told));
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(read > 200, `only ${read} lines were read`);
});

test.run();
