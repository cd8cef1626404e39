import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { arr, at, str } from '../../../src/text/json.js';
import { begins } from '../../runs/fake-turn.js';
import { errorOf, json, shell, shellFails } from './run-calls.js';
import { type Api, answers, fails, GUEST_KEY, OTHER_KEY, says, withApi } from './site.js';

const SESSIONS = '/api/sessions';

async function created(on: Api, body: JsonObject = {}): Promise<JsonObject> {
  const response = await on.post(SESSIONS, { model: 'test/opus', ...body });
  assert.is(response.status, 201);
  const { session } = await json(response);
  return session as JsonObject;
}
const send = (on: Api, method: string, path: string, body: JsonObject) =>
  fetch(on.site.url(path), {
    method,
    body: JSON.stringify(body),
    headers: { authorization: 'Bearer owner-owner-owner-owner', 'content-type': 'application/json' },
  });

test('a session is created, found, renamed and deleted under the name that it was given', () =>
  withApi(async (on) => {
    const session = await created(on, { id: 'my-1', title: 'First' });
    assert.is(session['id'], 'my-1');
    assert.is(session['title'], 'First');
    assert.is(session['message_count'], 0);
    assert.is(session['input_tokens'], null);
    assert.equal(await errorOf(await on.post(SESSIONS, { id: 'my-1' })), [409, 'session_exists']);
    assert.equal(await errorOf(await on.post(SESSIONS, { id: '../x' })), [400, 'invalid_session_id']);
    const renamed = await json(await send(on, 'PATCH', `${SESSIONS}/my-1`, { title: 'Second' }));
    assert.is(str(renamed, 'session', 'title'), 'Second');
    assert.equal(await errorOf(await send(on, 'PATCH', `${SESSIONS}/my-1`, { model: 'x' })), [
      400,
      'unsupported_session_field',
    ]);
    const listed = await json(await on.get(SESSIONS));
    assert.equal(
      (arr(listed, 'data') ?? []).map((one) => str(one, 'id')),
      ['my-1'],
    );
    assert.is(listed['has_more'], false);
    const gone = await json(await send(on, 'DELETE', `${SESSIONS}/my-1`, {}));
    assert.equal(gone, { object: 'turnout.session.deleted', id: 'my-1', deleted: true });
    assert.equal(await errorOf(await on.get(`${SESSIONS}/my-1`)), [404, 'session_not_found']);
  }));

test('a turn of a session is answered whole, with what was said before and its instructions', () =>
  withApi(async (on) => {
    await created(on, { id: 's', system_prompt: 'Be brief' });
    const first = on.post(`${SESSIONS}/s/chat`, { message: 'one' });
    await answers(on, 0, 'First.');
    assert.is(at(await json(await first), 'message', 'content'), 'First.');
    assert.is(on.turns[0]?.plan.request.system, 'Be brief');
    const second = on.post(`${SESSIONS}/s/chat`, { input: 'two' });
    await answers(on, 1, 'Second.');
    await second;
    assert.is(on.turns[1]?.plan.request.resume, 'native-0');
    const { data } = await json(await on.get(`${SESSIONS}/s/messages`));
    assert.equal(
      (data as JsonObject[]).map(({ role, content }) => [role, content]),
      [
        ['user', 'one'],
        ['assistant', 'First.'],
        ['user', 'two'],
        ['assistant', 'Second.'],
      ],
    );
  }));

test('a turn that fails has a status, and no text', () =>
  withApi(async (on) => {
    await created(on, { id: 's' });
    const asked = on.post(`${SESSIONS}/s/chat`, { message: 'one' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(fails('auth', 'log in first'));
    turn.end(1);
    assert.equal(await errorOf(await asked), [424, 'upstream_auth']);
  }));

test('a streamed turn tells what the agent says and does, and how it ended', () =>
  withApi(async (on) => {
    await created(on, { id: 's' });
    const asked = on.post(`${SESSIONS}/s/chat/stream`, { message: 'deploy' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit({ v: 1, type: 'thinking', text: 'hm', message_id: 'm0' });
    turn.emit(shell);
    turn.emit(shellFails);
    turn.emit(says('done'));
    turn.end();
    const text = await (await asked).text();
    const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    assert.equal(names, [
      ...['run.started', 'message.started', 'reasoning.delta', 'tool.progress', 'tool.started', 'tool.failed'],
      ...['assistant.delta', 'assistant.completed', 'run.completed', 'done'],
    ]);
    const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, one]) => JSON.parse(one ?? '') as JsonObject);
    assert.equal(
      data.map(({ seq }) => seq),
      data.map((_, index) => index + 1),
    );
    assert.is(data.at(-3)?.['content'], 'done');
    assert.is(data.at(-3)?.['completed'], true);
  }));

test('a fork begins with what was said', () =>
  withApi(async (on) => {
    await created(on, { id: 's' });
    const asked = on.post(`${SESSIONS}/s/chat`, { message: 'one' });
    await answers(on, 0, 'First.');
    await asked;
    const fork = await on.post(`${SESSIONS}/s/fork`, { id: 'f' });
    assert.is(fork.status, 201);
    assert.is(str(await json(fork), 'session', 'id'), 'f');
    const { data } = await json(await on.get(`${SESSIONS}/f/messages`));
    assert.is((data as JsonObject[]).length, 2);
  }));

test('sessions of others are not found', () =>
  withApi(async (on) => {
    await created(on, { id: 's' });
    for (const key of [OTHER_KEY, GUEST_KEY]) {
      const headers = { authorization: `Bearer ${key}` };
      assert.is((await on.get(`${SESSIONS}/s`, headers)).status, 404);
      assert.is((await on.post(`${SESSIONS}/s/chat`, { message: 'x' }, headers)).status, 404);
      assert.equal((await json(await on.get(SESSIONS, headers)))['data'], []);
    }
    assert.is(on.turns.length, 0);
  }));

test('models can be looked at without a program being started', () =>
  withApi(async (on) => {
    const { providers } = await json(await on.get('/api/model/options'));
    assert.ok(Array.isArray(providers));
    const health = await json(await on.get('/health/detailed'));
    assert.is(health['platform'], 'turnout');
    assert.is(at(health, 'readiness', 'checks', 'store', 'status'), 'ok');
  }));

test('a client of hermes-agent begins a session by naming it', () =>
  withApi(
    async (on) => {
      for (const [index, text] of ['First.', 'Second.'].entries()) {
        const asked = on.post(
          '/v1/chat/completions',
          { model: 'test', messages: [{ role: 'user', content: text }] },
          {
            'x-hermes-session-id': 'my-1',
          },
        );
        await answers(on, index, text);
        assert.is((await asked).headers.get('x-hermes-session-id'), 'my-1');
      }
      assert.is(on.turns[1]?.plan.request.resume, 'native-0');
      const { data } = await json(await on.get(`${SESSIONS}/my-1/messages`));
      assert.is((data as JsonObject[]).length, 4);
    },
    {},
    { compat: 'hermes' },
  ));

test.run();
