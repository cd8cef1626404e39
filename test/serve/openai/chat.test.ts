import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { at, str } from '../../../src/text/json.js';
import { begins } from '../../runs/fake-turn.js';
import { json } from '../listen/raw.js';
import { answers, ask, CHAT, fails, frames, objects, says, user, uses, withApi } from './site.js';

test('answers with a completion', () =>
  withApi(async (on) => {
    const asked = on.post(
      CHAT,
      ask([{ role: 'system', content: 'Be brief.' }, user('hi')], { reasoning_effort: 'high' }),
    );
    await answers(on, 0, 'Hello.');
    const response = await asked;
    assert.is(response.status, 200);
    const body = await json(response);
    assert.match(str(body, 'id') ?? '', /^chatcmpl_/);
    assert.is(body['object'], 'chat.completion');
    assert.is(body['model'], 'test/opus');
    assert.equal(body['choices'], [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ]);
    assert.equal(body['usage'], { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    const request = on.turns[0]?.plan.request;
    assert.equal(
      [request?.runtime, request?.model, request?.prompt, request?.system, request?.effort],
      ['test', 'opus', 'hi', 'Be brief.', 'high'],
    );
    assert.match(response.headers.get('x-turnout-session-id') ?? '', /^ses_/);
  }));

test('streams chunks that all have choices, and says usage only when it is wanted', () =>
  withApi(async (on) => {
    const asked = on.post(CHAT, ask([user('hi')], { stream: true, stream_options: { include_usage: true } }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit({ v: 1, type: 'thinking', text: 'Hm.', message_id: 't1' });
    turn.emit(says('Hel'));
    turn.emit(says('lo.'));
    turn.emit(says('Bye.', 'm2'));
    turn.emit(uses(10, 5));
    turn.end();
    const sent = await frames(await asked);
    assert.is(sent.pop(), '[DONE]');
    const chunks = sent.map((data) => JSON.parse(data));
    assert.ok(chunks.every((chunk) => Array.isArray(chunk.choices) && chunk.object === 'chat.completion.chunk'));
    assert.equal(
      chunks.map((chunk) => chunk.choices[0]?.delta),
      [
        { role: 'assistant', content: '' },
        { reasoning_content: 'Hm.' },
        { content: 'Hel' },
        { content: 'lo.' },
        { content: '\n\n' },
        { content: 'Bye.' },
        {},
        undefined,
      ],
    );
    assert.is(chunks.at(-2).choices[0].finish_reason, 'stop');
    assert.equal(chunks.at(-1).usage, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    assert.is(new Set(chunks.map((chunk) => chunk.id)).size, 1);
  }));

test('usage is left out unless both counts are known', () =>
  withApi(async (on) => {
    const none = { v: 1, type: 'usage', cost_usd: null } as const;
    const reports = [null, { ...none, input_tokens: 10, output_tokens: null }];
    for (const [index, report] of reports.entries()) {
      const asked = on.post(CHAT, ask([user('hi')]));
      const turn = await on.turn(index);
      turn.emit(begins(index + 1));
      turn.emit(says('Hello.'));
      if (report) turn.emit(report);
      turn.end();
      assert.is((await json(await asked))['usage'], undefined);
    }
  }));

test('a turn that fails before it says anything is a status, also of a stream', () =>
  withApi(async (on) => {
    for (const [index, stream] of [false, true].entries()) {
      const asked = on.post(CHAT, ask([user('hi')], { stream }));
      const turn = await on.turn(index);
      turn.emit(begins(1));
      turn.emit(fails('auth', 'Log in with: agent login'));
      turn.end(1);
      const response = await asked;
      assert.is(response.status, 424);
      assert.is(response.headers.get('x-should-retry'), 'false');
      assert.equal(await json(response), {
        error: { message: 'Log in with: agent login', type: 'server_error', param: null, code: 'upstream_auth' },
      });
    }
  }));

test('a failure behind the first words is an error frame', () =>
  withApi(async (on) => {
    const asked = on.post(CHAT, ask([user('hi')], { stream: true }));
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('Hel'));
    turn.emit(fails('runner-error', 'it crashed'));
    turn.end(1);
    const response = await asked;
    assert.is(response.status, 200);
    const sent = await frames(response);
    assert.is(sent.at(-1), '[DONE]');
    assert.is(at(JSON.parse(sent.at(-2) ?? ''), 'error', 'code'), 'runner_error');
    assert.not.ok(sent.some((data) => data.includes('"finish_reason":"stop"')));
  }));

test('a rate limit may be tried again only where nothing was done', () =>
  withApi(async (on) => {
    for (const [index, worked] of [false, true].entries()) {
      const asked = on.post(CHAT, ask([user('hi')]));
      const turn = await on.turn(index);
      turn.emit(begins(1));
      if (worked) turn.emit(says('One moment.'));
      turn.emit({ ...fails('rate-limited'), retry_after_ms: 2500 } as never);
      turn.end(1);
      const { status, headers } = await asked;
      assert.equal([status, headers.get('retry-after')], worked ? [424, null] : [429, '3']);
    }
  }));

test('ends are told in the words of the API', () =>
  withApi(async (on) => {
    const reasons = { max_tokens: 'length', max_turns: 'length', refusal: 'content_filter' } as const;
    for (const [index, [reason, finish]] of Object.entries(reasons).entries()) {
      const asked = on.post(CHAT, ask([user(`hi ${index}`)]));
      const turn = await on.turn(index);
      turn.emit(begins(1));
      turn.emit(says('I am'));
      turn.emit({ v: 1, type: 'done', exit_code: 0, stop_reason: reason as 'refusal', duration_ms: 1 });
      turn.end();
      const body = await json(await asked);
      assert.is(at(body, 'choices', 0, 'finish_reason'), finish);
      assert.is(at(body, 'turnout', 'stop_reason'), reason);
      assert.is(at(body, 'choices', 0, 'message', 'refusal'), reason === 'refusal' ? 'I am' : null);
    }
  }));

test('a schema for the answer: the text is the JSON alone', () =>
  withApi(async (on) => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } };
    const asked = on.post(CHAT, ask([user('json')], { response_format: format, stream: true }));
    const turn = await on.turn(0);
    assert.equal(turn.plan.request.outputSchema, schema);
    turn.emit(begins(1));
    turn.emit(says('Here it is: {"a":1}'));
    const none = { input_tokens: null, output_tokens: null, cost_usd: null };
    const result = {
      subtype: 'success',
      is_error: false,
      stop_reason: 'end_turn',
      output: '{"a":1}',
      ...none,
    } as const;
    turn.emit({ v: 1, type: 'result', ...result });
    turn.end();
    const sent = await objects(await asked);
    assert.is(sent.map((chunk) => str(chunk, 'choices', 0, 'delta', 'content') ?? '').join(''), '{"a":1}');
  }));

test('what the agent does is shown only where it is asked for', () =>
  withApi(async (on) => {
    const shown: string[] = [];
    for (const [index, activity] of ['none', 'reasoning', 'delta'].entries()) {
      const asked = on.post(CHAT, ask([user(`hi ${activity}`)], { stream: true }), { 'x-turnout-activity': activity });
      const turn = await on.turn(index);
      turn.emit(begins(1));
      const call = { v: 1, type: 'tool_activity', id: 'a1', name: 'Bash' } as const;
      turn.emit({ ...call, phase: 'start', kind: 'shell', input: { command: 'ls -l' }, parent_tool_use_id: null });
      turn.emit({ ...call, phase: 'end', ok: true, output: 'secret', output_truncated: false, duration_ms: 1 });
      turn.emit(says('Done.'));
      turn.end();
      const sent = await objects(await asked);
      assert.is(sent.map((chunk) => str(chunk, 'choices', 0, 'delta', 'content') ?? '').join(''), 'Done.');
      const reasoning = sent.map((chunk) => str(chunk, 'choices', 0, 'delta', 'reasoning_content') ?? '').join('');
      shown.push(reasoning + sent.filter((chunk) => at(chunk, 'turnout', 'event') !== undefined).length);
    }
    assert.equal(shown, ['0', 'Bash: ls -l\n0', '2']);
  }));

test.run();
