import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, num, str } from '../../../src/text/json.js';
import { begins, settled } from '../../runs/fake-turn.js';
import { json } from '../listen/raw.js';
import { type Api, answers, calls, fails, KEY, objects, says, user, uses, withApi } from './site.js';

const MESSAGES = '/v1/messages';
const input_schema = { type: 'object', properties: { a: { type: 'number' } } };
const tools = [{ name: 'add', description: 'adds', input_schema }];

const body = (messages: JsonObject[], more: JsonObject = {}): JsonObject => ({
  model: 'test/opus',
  max_tokens: 1000,
  messages,
  ...more,
});
const post = (on: Api, given: JsonObject): Promise<Response> =>
  fetch(on.site.url(MESSAGES), {
    method: 'POST',
    body: JSON.stringify(given),
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  });
const errorOf = async (response: Response) => {
  const error = await json(response);
  return [response.status, str(error, 'type'), str(error, 'error', 'type'), str(error, 'error', 'code')];
};

/** A turn that asked for `add` once for each argument, and the conversation so far. */
async function suspended(on: Api, args: readonly number[], more: JsonObject = {}) {
  const index = on.turns.length;
  const messages = [user(`add ${index}`)];
  const asked = post(on, body(messages, { tools, ...more }));
  const turn = await on.turn(index);
  turn.emit(begins(index + 1));
  turn.emit(says('I will add.'));
  for (const [place, a] of args.entries()) turn.emit(calls(place + 1, 'add', { a }));
  const answer = await json(await asked);
  const content = arr(answer, 'content') ?? [];
  const ids = content.flatMap((one) => (str(one, 'type') === 'tool_use' ? [str(one, 'id') ?? ''] : []));
  return { turn, answer, ids, messages: [...messages, { role: 'assistant', content }] };
}

test('a message is answered by a runtime that changes nothing, in an empty folder', () =>
  withApi(async (on) => {
    const asked = post(on, body([user('hello')], { system: [{ type: 'text', text: 'Be brief' }] }));
    await answers(on, 0, 'hi');
    const answer = await json(await asked);
    assert.match(str(answer, 'id') ?? '', /^msg_/);
    assert.equal(answer['content'], [{ type: 'text', text: 'hi' }]);
    assert.is(answer['stop_reason'], 'end_turn');
    assert.is(answer['model'], 'test/opus');
    assert.is(num(answer, 'usage', 'input_tokens'), 10);
    assert.is(num(answer, 'usage', 'output_tokens'), 5);
    assert.is(at(answer, 'usage', 'turnout_estimated'), false);
    const request = on.turns[0]?.plan.request;
    // This runtime can't be kept from its tools, so that it may read.
    assert.is(request?.access, 'read');
    assert.is.not(request?.cwd, process.cwd());
    assert.is(request?.system, 'Be brief');
  }));

test('with :agent behind its name a model works with its own tools in the server’s folder', () =>
  withApi(async (on) => {
    const asked = post(on, body([user('hello')], { model: 'test/opus:agent' }));
    await answers(on, 0, 'hi');
    await asked;
    const request = on.turns[0]?.plan.request;
    assert.equal([request?.access, request?.cwd, request?.model], ['scoped', process.cwd(), 'opus']);
  }));

test('figures that the runtime does not report are estimates, and say so', () =>
  withApi(async (on) => {
    const asked = post(on, body([user('x'.repeat(400))]));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('y'.repeat(80)));
    turn.end();
    const { usage } = await json(await asked);
    assert.is(num(usage, 'output_tokens'), 20);
    assert.ok((num(usage, 'input_tokens') ?? 0) >= 100);
    assert.is(at(usage, 'turnout_estimated'), true);
    const count = await on.post(`${MESSAGES}/count_tokens`, body([user('x'.repeat(400))]));
    assert.equal(await json(count), { input_tokens: num(usage, 'input_tokens') ?? null, turnout_estimated: true });
    assert.is(on.turns.length, 1);
  }));

test('a stream has the events of the API, in their order', () =>
  withApi(async (on) => {
    const asked = post(
      on,
      body([user('hello')], { stream: true, tools, thinking: { type: 'enabled', budget_tokens: 1024 } }),
    );
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit({ v: 1, type: 'thinking', text: 'hm', message_id: 'm0' });
    turn.emit(says('so'));
    turn.emit(uses(7, 3));
    turn.emit(calls(1, 'add', { a: 1 }));
    const events = await objects(await asked);
    assert.equal(
      events.map(({ type }) => type),
      [
        'message_start',
        ...['content_block_start', 'content_block_delta', 'content_block_stop'],
        ...['content_block_start', 'content_block_delta', 'content_block_stop'],
        ...['content_block_start', 'content_block_delta', 'content_block_stop'],
        ...['message_delta', 'message_stop'],
      ],
    );
    assert.equal(
      events.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta),
      [
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'text_delta', text: 'so' },
        { type: 'input_json_delta', partial_json: '{"a":1}' },
      ],
    );
    assert.equal(
      events.filter(({ type }) => type === 'content_block_start').map(({ index }) => index),
      [0, 1, 2],
    );
    const last = events.at(-2);
    assert.is(str(last, 'delta', 'stop_reason'), 'tool_use');
    assert.is(num(last, 'usage', 'input_tokens'), 7);
    turn.end();
  }));

test('results of tools lead to the turn that waits for them, and say when a tool failed', () =>
  withApi(async (on) => {
    const { turn, answer, ids, messages } = await suspended(on, [1, 2]);
    assert.is(answer['stop_reason'], 'tool_use');
    assert.equal(turn.plan.request.tools, [{ name: 'add', description: 'adds', schema: input_schema }]);
    const content: JsonObject[] = [
      { type: 'tool_result', tool_use_id: ids[1] ?? '', content: 'no such number', is_error: true },
      { type: 'tool_result', tool_use_id: ids[0] ?? '', content: [{ type: 'text', text: 'one' }] },
    ];
    const next = post(on, body([...messages, { role: 'user', content }], { tools }));
    while (turn.frames.length < 2) await settled();
    assert.equal(turn.frames, [
      { type: 'tool_result', id: 'tc_1', ok: true, result: 'one' },
      { type: 'tool_result', id: 'tc_2', ok: false, result: 'no such number' },
    ]);
    turn.emit(says('It is 3.', 'm2'));
    turn.end();
    assert.equal((await json(await next))['content'], [{ type: 'text', text: 'It is 3.' }]);
    assert.is(on.turns.length, 1);
  }));

test('one call at a time where the client wants it', () =>
  withApi(async (on) => {
    const { turn, ids } = await suspended(on, [1, 2], {
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    assert.is(ids.length, 1);
    turn.end();
  }));

test('what is wrong is said in the shape of the API, and not repeated by its clients', () =>
  withApi(async (on) => {
    const refused = async (given: JsonObject) => errorOf(await post(on, given));
    assert.equal(await refused(body([])), [400, 'error', 'invalid_request_error', 'missing_value']);
    assert.equal(await refused(body([user('x'), { role: 'assistant', content: 'so' }])), [
      ...[400, 'error', 'invalid_request_error', 'invalid_value'],
    ]);
    assert.equal(await refused(body([user('x')], { model: 'nope' })), [
      404,
      'error',
      'not_found_error',
      'model_not_found',
    ]);
    const bash = [{ type: 'bash_20250124', name: 'bash' }];
    assert.is((await refused(body([user('x')], { tools: bash })))[0], 400);
    const response = await fetch(on.site.url(MESSAGES), { method: 'POST', headers: { 'x-api-key': 'wrong' } });
    assert.equal(await errorOf(response), [401, 'error', 'authentication_error', 'invalid_api_key']);
    const asked = post(on, body([user('x')]));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('a'));
    turn.emit(fails('auth', 'log in first'));
    turn.end(1);
    const failed = await asked;
    assert.is(failed.headers.get('x-should-retry'), 'false');
    assert.equal(await errorOf(failed), [424, 'error', 'api_error', 'upstream_auth']);
  }));

test('a failure behind the first words is an event', () =>
  withApi(async (on) => {
    const asked = post(on, body([user('x')], { stream: true }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('a'));
    turn.emit(fails('runner-error'));
    turn.end(1);
    const events = await objects(await asked);
    assert.equal(events.at(-1)?.['error'], {
      type: 'api_error',
      message: 'it failed',
      code: 'runner_error',
      param: null,
    });
  }));

test('images reach the runtime, and models are listed as its clients expect', () =>
  withApi(async (on) => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const asked = post(on, body([{ role: 'user', content: [image, { type: 'text', text: 'what is it' }] }]));
    const turn = await on.turn(0);
    assert.is(turn.plan.request.images?.length, 1);
    turn.end();
    await asked;
    const listed = await json(await on.get('/v1/models', { 'anthropic-version': '2023-06-01' }));
    assert.is(str(listed, 'data', 0, 'type'), 'model');
    assert.is(listed['has_more'], false);
  }));

test.run();
