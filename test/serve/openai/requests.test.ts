import { existsSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { at, str } from '../../../src/text/json.js';
import { json } from '../listen/raw.js';
import { answers, ask, CHAT, KEY, user, withApi } from './site.js';

test('an image is a file for the agent, and is gone with the turn', () =>
  withApi(async (on) => {
    const url = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`;
    const content: JsonObject[] = [
      { type: 'text', text: 'what is it' },
      { type: 'image_url', image_url: { url } },
    ];
    const asked = on.post(CHAT, ask([{ role: 'user', content }]));
    const [image] = (await on.turn(0)).plan.request.images ?? [];
    assert.is(image?.mediaType, 'image/png');
    assert.is(readFileSync(image?.path ?? '', 'utf8'), 'a picture');
    await answers(on, 0, 'A cat.');
    await asked;
    for (let i = 0; i < 100 && existsSync(image?.path ?? ''); i++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.not.ok(existsSync(image?.path ?? ''));
  }));

test('what is wrong with a request is said with its place', () =>
  withApi(async (on) => {
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const wrong: [JsonObject, number, string, string | null][] = [
      [{ model: 'test' }, 400, 'missing_value', 'messages'],
      [ask([]), 400, 'missing_value', 'messages'],
      [ask([user('hi')], { model: 'gpt-4o' }), 404, 'model_not_found', 'model'],
      [ask([{ role: 'assistant', content: 'x' }]), 400, 'invalid_value', 'messages'],
      [ask([user(' ')]), 400, 'missing_value', 'messages[0].content'],
      [ask([user('hi')], { n: 2 }), 400, 'invalid_value', 'n'],
      [ask([user('hi')], { stream: 'yes' }), 400, 'invalid_type', 'stream'],
      [ask([user('hi')], { reasoning_effort: 'huge' }), 400, 'invalid_value', 'reasoning_effort'],
      [
        ask([{ role: 'user', content: [image] }]),
        400,
        'unsupported_content_type',
        'messages[0].content[0].image_url.url',
      ],
      [ask([{ role: 'user', content: [{ type: 'file' }] }]), 400, 'unsupported_content_type', 'messages[0].content'],
      [
        ask([user('hi')], { tools: [{ type: 'function', function: {} }] }),
        400,
        'invalid_value',
        'tools[0].function.name',
      ],
      [ask([user('hi')], { turnout: { access: 'all' } }), 400, 'invalid_value', 'turnout.access'],
      [ask([user('hi')], { turnout: { runtime: 'test' } }), 400, 'invalid_value', 'turnout.runtime'],
      [ask([user('hi')], { turnout: { cwd: '/no/such' } }), 400, 'invalid_value', 'turnout.cwd'],
    ];
    for (const [body, status, code, param] of wrong) {
      const response = await on.post(CHAT, body);
      const error = at(await json(response), 'error');
      assert.equal(
        [response.status, str(error, 'code'), at(error, 'param')],
        [status, code, param],
        JSON.stringify(body),
      );
      assert.is(response.headers.get('x-should-retry'), 'false');
    }
    assert.is(on.turns.length, 0);
  }));

test('refusals of the listener have the same shape', () =>
  withApi(async (on) => {
    const none = await on.get('/v1/nothing');
    assert.equal([none.status, at(await json(none), 'error', 'code')], [404, 'not_found']);
    const key = await on.get('/v1/models', { authorization: 'Bearer wrong' });
    assert.equal([key.status, at(await json(key), 'error', 'code')], [401, 'invalid_api_key']);
    const method = await on.get(CHAT);
    assert.equal([method.status, at(await json(method), 'error', 'code')], [405, 'method_not_allowed']);
    const broken = await on.site.post(CHAT, '{"model":', { authorization: `Bearer ${KEY}` });
    assert.equal([broken.status, at(await json(broken), 'error', 'code')], [400, 'invalid_request']);
  }));

test('models are found by name, with or without a model of the runtime', () =>
  withApi(
    async (on) => {
      for (const id of ['turnout', 'test', 'test/opus', 'test%2Fa%2Fb', 'test/opus:chat', 'gpt-4o']) {
        const model = await json(await on.get(`/v1/models/${id}`));
        assert.equal([model['id'], model['object']], [decodeURIComponent(id), 'model']);
      }
      const { data } = await json(await on.get('/v1/models'));
      assert.is(str(data ?? [], 0, 'id'), 'turnout');
      const asked = on.post(CHAT, ask([user('hi')], { model: 'gpt-4o' }));
      await answers(on, 0, 'Hello.');
      assert.is((await json(await asked))['model'], 'gpt-4o');
      assert.is(on.turns[0]?.plan.request.model, null);
    },
    {},
    { fallback: 'test' },
  ));

test('a chat and a task get no tools of the agent and nothing to find', () =>
  withApi(async (on) => {
    const tools = [{ type: 'function', function: { name: 'add' } }];
    for (const [index, manner] of ['chat', 'task'].entries()) {
      const asked = on.post(CHAT, ask([user(`hi ${manner}`)], { model: `test:${manner}`, tools }));
      const { request } = (await on.turn(index)).plan;
      assert.is(request.access, 'read');
      assert.is.not(request.cwd, process.cwd());
      assert.is(request.tools.length, manner === 'chat' ? 1 : 0);
      await answers(on, index, 'Hello.');
      await asked;
    }
  }));

test.run();
