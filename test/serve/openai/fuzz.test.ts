// Whatever a client sends is answered, or refused with a place: it is never a fault of ours.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { asApiError } from '../../../src/serve/openai/as-error.js';
import { readChat } from '../../../src/serve/openai/chat-request.js';
import { readResponse } from '../../../src/serve/openai/responses-request.js';
import { asHistory, asPrompt, type Said, tailOf } from '../../../src/serve/openai/said.js';
import { threadKey } from '../../../src/serve/openai/threads.js';
import { runner } from '../../turn/stage.js';

/** Repeatable numbers from 0 up to 1 (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS: readonly Json[] = [
  ...[
    '',
    ' ',
    'hi',
    '\u2028',
    '\ud800',
    'call_x',
    'call_0000000000000000000000_1',
    'data:image/png;base64,QQ==',
    'http://x',
  ],
  ...[null, true, 0, -1, 1.5, 1e99],
  ...['user', 'assistant', 'system', 'developer', 'tool', 'function'],
  ...['text', 'image_url', 'input_text', 'input_image', 'message', 'function_call', 'function_call_output'],
  ...['item_reference', 'reasoning', 'json_schema', 'json_object', 'required', 'none', 'auto', 'test', 'test/x:task'],
];
const KEYS = [
  ...[
    'role',
    'content',
    'type',
    'text',
    'tool_calls',
    'tool_call_id',
    'function',
    'name',
    'arguments',
    'image_url',
    'url',
  ],
  ...[
    'call_id',
    'output',
    'id',
    'schema',
    'json_schema',
    'format',
    'effort',
    'include_usage',
    'parameters',
    'access',
    'cwd',
  ],
];
const FIELDS = [
  ...[
    'model',
    'messages',
    'input',
    'tools',
    'tool_choice',
    'response_format',
    'text',
    'reasoning',
    'reasoning_effort',
    'n',
  ],
  ...[
    'stream',
    'stream_options',
    'metadata',
    'turnout',
    'instructions',
    'previous_response_id',
    'conversation',
    'store',
  ],
  ...['background', 'max_tool_calls', 'parallel_tool_calls'],
];

function fuzzer(roll: () => number) {
  const pick = <One>(from: readonly One[]): One | undefined => from[Math.floor(roll() * from.length)];
  const object = (depth: number, keys: readonly string[]): JsonObject =>
    Object.fromEntries(keys.filter(() => roll() < 0.25).map((key) => [key, value(depth - 1)]));
  function value(depth: number): Json {
    const kind = roll();
    if (depth === 0 || kind < 0.4) return pick(WORDS) ?? null;
    if (kind < 0.7) return object(depth, KEYS);
    return Array.from({ length: Math.floor(roll() * 4) }, () => value(depth - 1));
  }
  const role = () => (roll() < 0.02 ? 'wizard' : (pick(['user', 'user', 'assistant', 'system', 'tool']) ?? 'user'));
  const content = (): Json => (roll() < 0.7 ? (pick(['hi', 'ho', '\u2028', '\ud800', '']) ?? '') : value(3));
  const message = (): Json =>
    roll() < 0.95 ? { ...(roll() < 0.3 ? object(4, KEYS) : {}), role: role(), content: content() } : value(4);
  const messages = () => Array.from({ length: Math.floor(roll() * 6) }, message);
  return { body: (): JsonObject => ({ ...object(4, FIELDS), messages: messages(), input: messages() }) };
}

const rules = { runners: [runner()] };

function use(messages: readonly Said[]): void {
  const { before, tail } = tailOf(messages);
  assert.ok(tail.length > 0);
  assert.type(asPrompt(tail), 'string');
  assert.ok(asHistory(before).every(({ text }) => text !== ''));
  assert.type(threadKey([null], messages), 'string');
}

async function outcome(read: () => Promise<readonly Said[]>): Promise<'read' | 'refused'> {
  let messages: readonly Said[];
  try {
    messages = await read();
  } catch (error) {
    const { status, message } = asApiError(error);
    assert.ok(status === 400 || status === 404, message);
    return 'refused';
  }
  use(messages);
  return 'read';
}

test('10,000 requests that nobody meant', async () => {
  const { body } = fuzzer(dice(20261130));
  const counts = { read: 0, refused: 0 };
  for (let i = 0; i < 10_000; i++) {
    const given = body();
    // Half of them are well formed but for their messages.
    const only = { messages: given['messages'] ?? [], input: given['input'] ?? [] };
    const sent = i % 2 === 0 ? only : given;
    counts[await outcome(async () => readChat(sent, rules, undefined).ask.messages)] += 1;
    const find = async () => null;
    const response = async () => (await readResponse(sent, { rules, activity: undefined, find })).ask.messages;
    counts[await outcome(response)] += 1;
  }
  assert.ok(counts.read > 500, JSON.stringify(counts));
  assert.ok(counts.refused > 500, JSON.stringify(counts));
});

test.run();
