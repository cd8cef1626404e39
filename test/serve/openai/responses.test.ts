import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, str } from '../../../src/text/json.js';
import { begins, settled } from '../../runs/fake-turn.js';
import { json } from '../listen/raw.js';
import { type Api, answers, calls, fails, KEY, OTHER_KEY, objects, says, withApi } from './site.js';

const PATH = '/v1/responses';
const ask = (input: JsonObject['input'], more: JsonObject = {}): JsonObject => ({
  model: 'test',
  input: input ?? '',
  ...more,
});
const remove = (on: Api, path: string, method = 'DELETE') =>
  fetch(on.site.url(path), { method, headers: { authorization: `Bearer ${KEY}` } });
const errorOf = async (response: Response) => [response.status, str(await json(response), 'error', 'code')];
const textOf = (response: JsonObject): string => str(response, 'output', 0, 'content', 0, 'text') ?? '';

/** A response whose turn says one text. */
async function answered(on: Api, body: JsonObject, text: string): Promise<JsonObject> {
  const index = on.turns.length;
  const asked = on.post(PATH, body);
  await answers(on, index, text);
  return json(await asked);
}

test('answers with a response that has all fields', () =>
  withApi(async (on) => {
    const body = await answered(on, ask('hi', { instructions: 'Be brief.', metadata: { a: 'b' } }), 'Hello.');
    assert.match(str(body, 'id') ?? '', /^resp_[0-9A-Za-z]{22}_0$/);
    assert.equal(
      [body['object'], body['status'], body['model'], body['error']],
      ['response', 'completed', 'test', null],
    );
    const [message] = arr(body, 'output') ?? [];
    assert.match(str(message, 'id') ?? '', /^msg_/);
    assert.equal(at(message, 'content'), [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }]);
    assert.equal(body['usage'], {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: null },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: null },
      total_tokens: 15,
    });
    const always = ['instructions', 'parallel_tool_calls', 'temperature', 'tool_choice', 'tools', 'top_p', 'text'];
    for (const key of [...always, 'previous_response_id', 'reasoning', 'truncation', 'store', 'background', 'user'])
      assert.ok(key in body, key);
    assert.equal(body['metadata'], { a: 'b' });
    const request = on.turns[0]?.plan.request;
    assert.equal([request?.prompt, request?.system], ['hi', 'Be brief.']);
  }));

test('a stream has its items and parts in order, and numbers without holes', () =>
  withApi(async (on) => {
    const asked = on.post(PATH, ask('hi', { stream: true }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit({ v: 1, type: 'thinking', text: 'Hm.', message_id: 't1' });
    const call = { v: 1, type: 'tool_activity', id: 'a1', name: 'Bash' } as const;
    turn.emit({ ...call, phase: 'start', kind: 'shell', input: { command: 'ls' }, parent_tool_use_id: null });
    turn.emit({ ...call, phase: 'end', ok: true, output: 'a.txt', output_truncated: false, duration_ms: 1 });
    turn.emit(says('One file.'));
    turn.emit(calls(1, 'add', { a: 1 }));
    const sent = await objects(await asked);
    assert.equal(
      sent.map(({ type }) => String(type).replace('response.', '')),
      [
        ...['created', 'in_progress'],
        ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
        ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
        ...['output_item.added', 'mcp_call.in_progress', 'mcp_call_arguments.delta', 'mcp_call_arguments.done'],
        ...['mcp_call.completed', 'output_item.done'],
        ...['output_item.added', 'content_part.added', 'output_text.delta'],
        ...['output_text.done', 'content_part.done', 'output_item.done'],
        ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done', 'output_item.done'],
        'completed',
      ],
    );
    assert.equal(
      sent.map((one) => one['sequence_number']),
      sent.map((_, index) => index),
    );
    const last = sent.at(-1)?.['response'] ?? null;
    assert.equal(
      (arr(last, 'output') ?? []).map((item) => [str(item, 'type'), str(item, 'status')]),
      ['reasoning', 'mcp_call', 'message', 'function_call'].map((type) => [type, 'completed']),
    );
    // What is stored is what was sent.
    assert.equal(await json(await on.get(`${PATH}/${str(last, 'id')}`)), last);
    const output = { type: 'function_call_output', call_id: str(last, 'output', 3, 'call_id') ?? '', output: '3' };
    const next = on.post(PATH, ask([output], { previous_response_id: str(last, 'id') ?? '' }));
    while (turn.frames.length < 1) await settled();
    turn.emit(says('Three.', 'm2'));
    turn.end();
    assert.is(textOf(await json(await next)), 'Three.');
    assert.is(on.turns.length, 1);
    assert.equal(await json(await on.get(`${PATH}/${str(last, 'id')}`)), last);
  }));

test('a response is followed in its session, an older one in a new session', () =>
  withApi(async (on) => {
    const one = await answered(on, ask('one'), 'First.');
    const follow = (input: string, { id }: JsonObject) => ask(input, { previous_response_id: id ?? '' });
    await answered(on, follow('two', one), 'Second.');
    assert.equal([on.turns[1]?.plan.request.resume, on.turns[1]?.plan.request.system], ['native-0', null]);
    await answered(on, follow('other', one), 'Third.');
    const request = on.turns[2]?.plan.request;
    assert.equal([request?.prompt, request?.resume], ['other', null]);
    assert.match(request?.system ?? '', /<user>\none\n<\/user>\n<assistant>\nFirst\.\n<\/assistant>$/);
    assert.not.match(request?.system ?? '', /two/);
  }));

test('a conversation has a name', () =>
  withApi(async (on) => {
    await answered(on, ask('one', { conversation: 'conv_a' }), 'First.');
    await answered(on, ask('two', { conversation: { id: 'conv_a' } }), 'Second.');
    await answered(on, ask('three', { conversation: 'conv_b' }), 'Third.');
    assert.equal(
      on.turns.map(({ plan }) => plan.request.resume),
      [null, 'native-0', null],
    );
    const both = await on.post(PATH, ask('x', { conversation: 'conv_a', previous_response_id: 'resp_x' }));
    assert.equal(await errorOf(both), [400, 'invalid_value']);
  }));

test('only what is stored, and one’s own, can be had again', () =>
  withApi(async (on) => {
    const stored = await answered(on, ask('one'), 'First.');
    const path = `${PATH}/${str(stored, 'id')}`;
    assert.equal(await json(await on.get(path)), stored);
    assert.is(at(await json(await on.get(`${path}/input_items`)), 'data', 0, 'content'), 'one');
    const other = await on.get(path, { authorization: `Bearer ${OTHER_KEY.toUpperCase()}` });
    assert.equal(await errorOf(other), [404, 'response_not_found']);
    assert.equal(await json(await remove(on, path)), { id: stored['id'] ?? '', object: 'response', deleted: true });
    assert.equal(await errorOf(await on.get(path)), [404, 'response_not_found']);
    const following = await on.post(PATH, ask('two', { previous_response_id: stored['id'] ?? '' }));
    assert.equal(await errorOf(following), [404, 'response_not_found']);
    const kept = await answered(on, ask('two', { store: false }), 'Second.');
    assert.equal(await errorOf(await on.get(`${PATH}/${str(kept, 'id')}`)), [404, 'response_not_found']);
  }));

test('in the background: queued at once, fetched later, cancelled by its id', () =>
  withApi(async (on) => {
    const first = await json(await on.post(PATH, ask('one', { background: true })));
    assert.is(first['status'], 'queued');
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('Hel'));
    const path = `${PATH}/${str(first, 'id')}`;
    while ((await json(await on.get(path)))['status'] !== 'in_progress') await settled();
    turn.emit(says('lo.'));
    turn.end();
    let now = await json(await on.get(path));
    while (now['status'] !== 'completed') now = await json(await on.get(path));
    assert.is(textOf(now), 'Hello.');
    const second = await json(await on.post(PATH, ask('two', { background: true })));
    const other = await on.turn(1);
    other.emit(begins(2));
    const cancelled = remove(on, `${PATH}/${str(second, 'id')}/cancel`, 'POST');
    while (!other.calls.includes('cancel')) await settled();
    other.emit({ v: 1, type: 'error', code: 'cancelled', message: 'cancelled', fatal: false });
    other.end(130);
    assert.is((await json(await cancelled))['status'], 'cancelled');
  }));

test('an item of an earlier response can be named', () =>
  withApi(async (on) => {
    const one = await answered(on, ask('one'), 'First.');
    const said = { type: 'item_reference', id: str(one, 'output', 0, 'id') ?? '' };
    await answered(on, ask([{ role: 'user', content: 'one' }, said, { role: 'user', content: 'two' }]), 'Second.');
    const request = on.turns[1]?.plan.request;
    assert.is(request?.prompt, 'two');
    assert.match(request?.system ?? '', /<assistant>\nFirst\./);
  }));

test('failures are a status before the first word, and an event behind it', () =>
  withApi(async (on) => {
    for (const [index, text] of ['', 'Hel'].entries()) {
      const asked = on.post(PATH, ask('hi', { stream: true }));
      const turn = await on.turn(index);
      turn.emit(begins(1));
      if (text !== '') turn.emit(says(text));
      turn.emit(fails('auth', 'log in'));
      turn.end(1);
      const response = await asked;
      if (text === '') assert.equal(await errorOf(response), [424, 'upstream_auth']);
      else {
        const last = (await objects(response)).at(-1);
        assert.equal([last?.['type'], str(last, 'response', 'error', 'code')], ['response.failed', 'upstream_auth']);
      }
    }
    const open = await on.post(PATH, ask(''));
    assert.equal(await errorOf(open), [400, 'missing_value']);
  }));

test.run();
