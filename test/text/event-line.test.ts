import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import { eventLine } from '../../src/text/event-line.js';

const test = suite('event line');
const say = (text: string): Event => ({ v: 1, type: 'assistant', text, message_id: 'm1' });

function textOf(line: string): unknown {
  const parsed: unknown = JSON.parse(line);
  return typeof parsed === 'object' && parsed !== null && 'text' in parsed ? parsed.text : undefined;
}

test('is JSON and one newline', () => {
  assert.is(eventLine(say('a\nb')), '{"v":1,"type":"assistant","text":"a\\nb","message_id":"m1"}\n');
});

test('escapes the line ends that only some readers know', () => {
  const line = eventLine(say('a\u2028b\u2029c'));
  assert.ok(line.includes('a\\u2028b\\u2029c'));
  assert.is(textOf(line), 'a\u2028b\u2029c');
});

test('a lone surrogate becomes U+FFFD, a pair stays', () => {
  assert.is(textOf(eventLine(say('a\ud83db😀\ude00'))), 'a\ufffdb😀\ufffd');
});

test('text that only looks like an escaped surrogate stays', () => {
  for (const text of ['\\ud83d', '\\\\ud83d', '"\\udfff"', 'C:\\udata']) assert.is(textOf(eventLine(say(text))), text);
});

test('any text comes back, made well-formed, from one line of valid UTF-8', () => {
  const unit = fc.oneof(
    fc.constantFrom('\\', 'u', 'd', '8', '\ud800', '\udc00', '\u2028', '"', '\n', '\r', '\0'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = units.join('');
      const line = eventLine(say(text));
      const wellFormed = Buffer.from(text).toString('utf8');
      assert.is(textOf(line), wellFormed);
      assert.is(Buffer.from(line).toString('utf8'), line);
      assert.is(line.split(/[\n\r\u2028\u2029]/).length, 2);
      assert.not.ok(/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(line));
    }),
    { numRuns: 3000 },
  );
});

test('speech is written as JSON.stringify writes it', () => {
  const id = fc.constantFrom('m1', 'm"2', '');
  const optional = fc.record(
    { replaces: id, parent_tool_use_id: id, text_truncated: fc.constant(true as const) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.constantFrom('assistant' as const, 'thinking' as const),
      fc.string(),
      id,
      optional,
      (type, text, message_id, rest) => {
        const { replaces, parent_tool_use_id, text_truncated } = rest;
        const event = { v: 1 as const, type, text, message_id, replaces, parent_tool_use_id, text_truncated };
        assert.is(eventLine(event), `${JSON.stringify(event)}\n`);
      },
    ),
  );
});

test.run();
