import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, str } from '../../../src/text/json.js';
import { begins, settled } from '../../runs/fake-turn.js';
import { runner } from '../../turn/stage.js';
import { json } from '../listen/raw.js';
import { asks, shell } from './run-calls.js';
import { type Api, answers, ask, CHAT, calls, KEY, OTHER_KEY, objects, says, user, withApi } from './site.js';

const parameters = { type: 'object', properties: { a: { type: 'number' } } };
const tools = [{ type: 'function', function: { name: 'add', description: 'adds', parameters } }];

/** The message of an answer, as a client sends it back. */
const said = (body: JsonObject): JsonObject => {
  const message = at(body, 'choices', 0, 'message');
  return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : {};
};
const idsOf = (message: JsonObject): string[] => (arr(message, 'tool_calls') ?? []).map((one) => str(one, 'id') ?? '');
const result = (id: string, content: string): JsonObject => ({ role: 'tool', tool_call_id: id, content });

/** A turn that asked for `add` once for each argument, and the conversation so far. */
async function suspended(on: Api, args: readonly number[], more: JsonObject = {}) {
  const index = on.turns.length;
  const messages = [user(`add ${index}`)];
  const asked = on.post(CHAT, ask(messages, { tools, ...more }));
  const turn = await on.turn(index);
  turn.emit(begins(index + 1));
  turn.emit({ v: 1, type: 'session', session_id: `native-${index}` });
  turn.emit(says('I will add.'));
  for (const [place, a] of args.entries()) turn.emit(calls(place + 1, 'add', { a }));
  const body = await json(await asked);
  const message = said(body);
  return { turn, body, message, ids: idsOf(message), messages: [...messages, message] };
}

const errorOf = async (response: Response) => [response.status, str(await json(response), 'error', 'code')];

test('a call suspends the turn; its result, from another connection, lets it go on', () =>
  withApi(async (on) => {
    const { turn, body, message, ids, messages } = await suspended(on, [1, 2]);
    assert.equal(turn.plan.request.tools, [{ name: 'add', description: 'adds', schema: parameters }]);
    assert.is(at(body, 'choices', 0, 'finish_reason'), 'tool_calls');
    assert.is(message['content'], 'I will add.');
    assert.is(str(message, 'tool_calls', 0, 'function', 'arguments'), '{"a":1}');
    assert.ok(ids.every((id) => /^call_[0-9A-Za-z]{22}_\d$/.test(id)));
    assert.equal(turn.calls, []);
    const results = [result(ids[1] ?? '', 'two'), result(ids[0] ?? '', 'one')];
    const next = on.post(CHAT, ask([...messages, ...results], { tools }));
    while (turn.frames.length < 2) await settled();
    assert.equal(turn.frames, [
      { type: 'tool_result', id: 'tc_1', ok: true, result: 'one' },
      { type: 'tool_result', id: 'tc_2', ok: true, result: 'two' },
    ]);
    turn.emit(says('It is 3.', 'm2'));
    turn.end();
    const answer = said(await json(await next));
    assert.is(answer['content'], 'It is 3.');
    // What was said goes on in the same session, by what the client sends back alone.
    const again = on.post(CHAT, ask([...messages, ...results, answer, user('and now')], { tools }));
    await answers(on, 1, 'Now.');
    await again;
    assert.equal([on.turns[1]?.plan.request.prompt, on.turns[1]?.plan.request.resume], ['and now', 'native-0']);
  }));

test('a stream ends with the calls', () =>
  withApi(async (on) => {
    const asked = on.post(CHAT, ask([user('add')], { tools, stream: true }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(calls(1, 'add', { a: 1 }));
    const sent = await objects(await asked);
    assert.is(str(sent.at(-2), 'choices', 0, 'finish_reason'), 'tool_calls');
    const delta = at(sent.at(-3), 'choices', 0, 'delta', 'tool_calls', 0);
    assert.equal([at(delta, 'index'), str(delta, 'type'), str(delta, 'function', 'name')], [0, 'function', 'add']);
    turn.end(130);
  }));

test('results that come twice are handed over once and answered twice', () =>
  withApi(async (on) => {
    const { turn, ids, messages } = await suspended(on, [1]);
    const body = ask([...messages, result(ids[0] ?? '', 'one')], { tools });
    const both = [on.post(CHAT, body), on.post(CHAT, body)];
    while (turn.frames.length < 1) await settled();
    turn.emit(says('Good.', 'm2'));
    turn.end();
    const [one, two] = await Promise.all(both.map(async (response) => json(await response)));
    assert.is(said(one ?? {})['content'], 'Good.');
    assert.equal(one, two);
    // Also when it is over.
    assert.equal(await json(await on.post(CHAT, body)), one);
    assert.is(turn.frames.length, 1);
    assert.is(on.turns.length, 1);
  }));

test('a call without its result is asked for again, and the turn stays', () =>
  withApi(async (on) => {
    const { turn, ids, messages } = await suspended(on, [1, 2]);
    const half = await on.post(CHAT, ask([...messages, result(ids[0] ?? '', 'one')], { tools }));
    assert.equal(await errorOf(half), [400, 'missing_tool_output']);
    assert.equal([turn.frames, turn.calls], [[], []]);
    const results = ids.map((id) => result(id, 'x'));
    const next = on.post(CHAT, ask([...messages, ...results], { tools }));
    while (turn.frames.length < 2) await settled();
    turn.end();
    await next;
  }));

test('one call at a time where the client wants that', () =>
  withApi(async (on) => {
    const { turn, ids, messages } = await suspended(on, [1, 2], { parallel_tool_calls: false });
    assert.is(ids.length, 1);
    const second = said(await json(await on.post(CHAT, ask([...messages, result(ids[0] ?? '', 'one')], { tools }))));
    assert.is(str(second, 'tool_calls', 0, 'function', 'arguments'), '{"a":2}');
    assert.equal(turn.frames.length, 1);
    const [id = ''] = idsOf(second);
    const all = [...messages, result(ids[0] ?? '', 'one'), second, result(id, 'two')];
    const last = on.post(CHAT, ask(all, { tools }));
    while (turn.frames.length < 2) await settled();
    turn.emit(says('Both.', 'm2'));
    turn.end();
    assert.is(said(await json(await last))['content'], 'Both.');
  }));

test('a turn that nobody answers ends, and its results come too late', () =>
  withApi(
    async (on) => {
      const { turn, ids, messages } = await suspended(on, [1]);
      while (!turn.calls.includes('cancel')) await new Promise((resolve) => setTimeout(resolve, 10));
      turn.end(130);
      const late = await on.post(CHAT, ask([...messages, result(ids[0] ?? '', 'one')], { tools }));
      assert.is(late.headers.get('x-should-retry'), 'false');
      assert.equal(await errorOf(late), [410, 'tool_call_expired']);
      assert.is(on.turns.length, 1);
    },
    {},
    { suspendMs: 50 },
  ));

test('results for a turn of another caller are a conversation like any other', () =>
  withApi(async (on) => {
    const { turn, ids, messages } = await suspended(on, [1]);
    const body = ask([...messages, result(ids[0] ?? '', 'one')], { tools });
    const asked = on.post(CHAT, body, { authorization: `Bearer ${OTHER_KEY}` });
    await answers(on, 1, 'Fine.');
    assert.is(said(await json(await asked))['content'], 'Fine.');
    assert.is(turn.frames.length, 0);
    const request = on.turns[1]?.plan.request;
    assert.match(request?.prompt ?? '', /^Result of the tool call call_\w+:\none$/);
    assert.match(request?.system ?? '', /Called the tool add \(call_\w+\) with \{"a":1\}/);
    turn.end();
  }));

test('results of another provider are a conversation like any other', () =>
  withApi(async (on) => {
    const call = { id: 'call_abc', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const messages = [user('add'), { role: 'assistant', content: null, tool_calls: [call] }, result('call_abc', '3')];
    const asked = on.post(CHAT, ask(messages));
    await answers(on, 0, 'Three.');
    assert.is((await asked).status, 200);
    assert.match(on.turns[0]?.plan.request.prompt ?? '', /call_abc:\n3/);
  }));

for (const steer of [true, false]) {
  test(`what the user adds to the results reaches an agent that takes ${steer ? '' : 'no '}guidance`, () =>
    withApi(
      async (on) => {
        const { turn, ids, messages } = await suspended(on, [1]);
        const next = on.post(CHAT, ask([...messages, result(ids[0] ?? '', 'one'), user('be quick')], { tools }));
        while (turn.frames.length < (steer ? 2 : 1)) await settled();
        const behind = steer ? '' : '\n\nThe user adds: be quick';
        assert.equal(turn.frames[0], { type: 'tool_result', id: 'tc_1', ok: true, result: `one${behind}` });
        if (steer) assert.equal(turn.frames[1], { type: 'steer', id: 's1', text: 'be quick' });
        turn.emit(says('Done.', 'm2'));
        turn.end();
        await next;
      },
      { runners: [runner({ steer })] },
    ));
}

test('a suspended turn takes no place from others', () =>
  withApi(
    async (on) => {
      const { turn, ids, messages } = await suspended(on, [1]);
      const other = on.post(CHAT, ask([user('hi')]));
      await answers(on, 1, 'Hello.');
      assert.is((await other).status, 200);
      const next = on.post(CHAT, ask([...messages, result(ids[0] ?? '', 'one')], { tools }));
      while (turn.frames.length < 1) await settled();
      turn.emit(says('Done.', 'm2'));
      turn.end();
      assert.is((await next).status, 200);
    },
    { concurrency: 1 },
  ));

test('a caller may leave while its turn is suspended, and not while it works', () =>
  withApi(async (on) => {
    const { turn, ids, messages } = await suspended(on, [1]);
    await settled();
    assert.equal(turn.calls, []);
    const left = new AbortController();
    const next = fetch(on.site.url(CHAT), {
      method: 'POST',
      body: JSON.stringify(ask([...messages, result(ids[0] ?? '', 'one')], { tools })),
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      signal: left.signal,
    }).catch(() => null);
    while (turn.frames.length < 1) await settled();
    left.abort();
    await next;
    while (!turn.calls.includes('cancel')) await settled();
    turn.end(130);
  }));

test('tool_choice: none hides the tools, the others are said in words', () =>
  withApi(async (on) => {
    const choices = ['none', 'required', { type: 'function', function: { name: 'add' } }];
    for (const [index, tool_choice] of choices.entries()) {
      const asked = on.post(CHAT, ask([user(`hi ${index}`)], { tools, tool_choice }));
      const { request } = (await on.turn(index)).plan;
      assert.is(request.tools.length, index === 0 ? 0 : 1);
      assert.match(request.system ?? '', [/^$/, /at least one/, /Call the tool add/][index] ?? /^x$/);
      await answers(on, index, 'Hello.');
      await asked;
    }
  }));

test('the agent is told of images in a result, which can not be passed on', () =>
  withApi(async (on) => {
    const { turn, messages, ids } = await suspended(on, [1]);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const content = [{ type: 'text', text: 'a chart' }, image];
    const next = on.post(CHAT, ask([...messages, { role: 'tool', tool_call_id: ids[0] ?? '', content }], { tools }));
    while (turn.frames.length < 1) await settled();
    const [frame] = turn.frames;
    assert.match(frame?.type === 'tool_result' ? `${frame.result}` : '', /^a chart\n\[1 image/);
    turn.end();
    await next;
  }));

test('what the agent asks a person is a call, where the caller wants to be asked', () =>
  withApi(async (on) => {
    const messages = [user('deploy')];
    const asked = on.post(CHAT, ask(messages, { turnout: { approvals: 'ask', questions: 'ask' } }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(shell);
    turn.emit(asks);
    const question = { id: 'colour', question: 'Which?' };
    turn.emit({ v: 1, type: 'question', id: 'q_1', source: 'agent', questions: [question] });
    const message = said(await json(await asked));
    const ids = idsOf(message);
    assert.equal(
      (arr(message, 'tool_calls') ?? []).map((one) => str(one, 'function', 'name')),
      ['turnout_approval', 'turnout_question'],
    );
    assert.is(
      at(JSON.parse(str(message, 'tool_calls', 0, 'function', 'arguments') ?? ''), 'input', 'command'),
      'make deploy',
    );
    const wrong = [result(ids[0] ?? '', 'perhaps'), result(ids[1] ?? '', 'red')];
    assert.equal(await errorOf(await on.post(CHAT, ask([...messages, message, ...wrong]))), [
      400,
      'invalid_approval_choice',
    ]);
    const right = [result(ids[0] ?? '', 'allow_once'), result(ids[1] ?? '', 'red')];
    const next = on.post(CHAT, ask([...messages, message, ...right]));
    while (turn.frames.length < 2) await settled();
    assert.equal(turn.frames, [
      { type: 'permission_result', id: 'pr_1', choice: 'allow_once' },
      { type: 'question_result', id: 'q_1', answers: { colour: 'red' } },
    ]);
    turn.emit(says('Done.', 'm2'));
    turn.end();
    assert.is(said(await json(await next))['content'], 'Done.');
  }));

test.run();
