import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { begins } from '../../runs/fake-turn.js';
import { errorOf, json, path, RUNS, shell, shellEnds, submit } from './run-calls.js';
import { answers, frames, OTHER_KEY, objects, says, uses, withApi } from './site.js';

const TOTALS = { input_tokens: 10, output_tokens: 5, cached_tokens: null, cost_usd: null };

test('a run is accepted at once and goes on without whoever asked for it', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'hello' });
    assert.is(run['status'], 'started');
    assert.is(run['replayed'], false);
    await answers(on, 0, 'hi there');
    await on.core.runs.ended(`${run['run_id']}`, { principal: { name: 'owner', kind: 'owner' }, surface: 'openai' });
    const status = await json(await on.get(path(run)));
    assert.is(status['object'], 'turnout.run');
    assert.is(status['status'], 'completed');
    assert.is(status['output'], 'hi there');
    assert.is(status['completed'], true);
    assert.is(status['model'], 'test/opus');
    assert.is(status['last_event'], 'run.completed');
    // The end of this turn names no totals: what is not known is left out.
    assert.is('usage' in status, false);
  }));

test('events can be read by many, from the start or from any number, also when the run is over', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'work' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    const first = await on.get(path(run, '/events'));
    turn.emit({ v: 1, type: 'thinking', text: 'hm', message_id: 'm0' });
    turn.emit(shell);
    turn.emit(shellEnds);
    turn.emit(says('all '));
    turn.emit(says('done'));
    turn.emit(uses(3, 4));
    turn.end();
    const seen = await objects(first);
    assert.equal(
      seen.map(({ event }) => event),
      [
        'reasoning.delta',
        'reasoning.available',
        'tool.started',
        'tool.completed',
        'message.delta',
        'message.delta',
        'run.completed',
      ],
    );
    assert.is(seen[2]?.['tool'], 'Bash');
    assert.is(seen[2]?.['preview'], 'shell make deploy');
    assert.is(seen[3]?.['duration'], 1.5);
    assert.is(seen[6]?.['output'], 'all done');
    assert.type(seen[0]?.['timestamp'], 'number');
    const again = await (await on.get(path(run, '/events'))).text();
    assert.match(again, /: stream closed/);
    const ids = [...again.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const from = ids.at(-3) ?? 0;
    const rest = await objects(await on.get(path(run, '/events'), { 'last-event-id': `${from}` }));
    assert.equal(
      rest.map(({ event }) => event),
      ['message.delta', 'run.completed'],
    );
    assert.is(rest[1]?.['timestamp'], undefined);
    assert.equal(await frames(await on.get(`${path(run, '/events')}?after=${ids.at(-1)}`)), []);
  }));

test('the same key with the same body is the same run', () =>
  withApi(async (on) => {
    const headers = { 'idempotency-key': 'k1' };
    const run = await submit(on, { input: 'once' }, headers);
    const again = await on.post(RUNS, { model: 'test/opus', input: 'once' }, headers);
    assert.is(again.headers.get('idempotency-replayed'), 'true');
    assert.is((await json(again))['run_id'], run['run_id']);
    assert.equal(await errorOf(await on.post(RUNS, { model: 'test/opus', input: 'twice' }, headers)), [
      409,
      'idempotency_key_conflict',
    ]);
    assert.equal(await errorOf(await on.post(RUNS, { input: 'x' }, { 'idempotency-key': 'a b' })), [
      400,
      'invalid_idempotency_key',
    ]);
    (await on.turn(0)).end();
    assert.is(on.turns.length, 1);
  }));

test('a session has the name that its caller gave it, and goes on under it', () =>
  withApi(async (on) => {
    const first = await submit(on, { input: 'one', session_id: 's-run' });
    assert.is(first['session_id'], 's-run');
    await answers(on, 0, 'first');
    await objects(await on.get(path(first, '/events')));
    const second = await submit(on, { input: 'two', session_id: 's-run' });
    const turn = await on.turn(1);
    assert.is(turn.plan.request.resume, 'native-0');
    assert.is((await json(await on.get(path(second))))['session_id'], 's-run');
    turn.end();
  }));

test('what was said before may be told, and instructions are instructions', () =>
  withApi(async (on) => {
    await submit(on, {
      input: ['first', { role: 'assistant', content: 'second' }, { role: 'user', content: 'third' }],
      instructions: 'Be brief',
    });
    const { request } = (await on.turn(0)).plan;
    assert.match(request.system ?? '', /first[\s\S]*second/);
    assert.match(request.system ?? '', /Be brief/);
    assert.is(request.prompt, 'third');
    (await on.turn(0)).end();
  }));

test('runs of others are not found', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'mine' });
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    for (const rest of ['', '/events'])
      assert.equal(await errorOf(await on.get(path(run, rest), headers)), [404, 'run_not_found']);
    for (const rest of ['/stop', '/steer', '/approval', '/answer'])
      assert.equal(
        await errorOf(await on.post(path(run, rest), { input: 'x', choice: 'once', answers: {} }, headers)),
        [404, 'run_not_found'],
      );
    assert.equal(await errorOf(await on.get('/v1/runs/run_nope')), [404, 'run_not_found']);
    assert.is((await on.post(RUNS, {})).status, 400);
    (await on.turn(0)).end();
  }));

test('a run that was stopped at a limit has failed, with what it said', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'much' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('half'));
    turn.end({ v: 1, type: 'done', exit_code: 0, stop_reason: 'max_tokens', duration_ms: 1, totals: TOTALS });
    const last = (await objects(await on.get(path(run, '/events')))).at(-1);
    assert.is(last?.['event'], 'run.failed');
    assert.is(last?.['output'], 'half');
    assert.is(last?.['partial'], true);
    assert.equal(last?.['usage'], { input_tokens: 10, output_tokens: 5, total_tokens: 15 });
    assert.is(last?.['completed'], false);
  }));

test('capabilities and objects bear the names that were asked for', async () => {
  await withApi(async (on) => {
    const own = await json(await on.get('/v1/capabilities'));
    assert.is(own['object'], 'turnout.api_server.capabilities');
  });
  await withApi(
    async (on) => {
      const found = await json(await on.get('/v1/capabilities'));
      assert.is(found['object'], 'hermes.api_server.capabilities');
      assert.is(found['platform'], 'hermes-agent');
      assert.is((found['features'] as JsonObject)['session_continuity_header'], 'X-Hermes-Session-Id');
      const models = await json(await on.get('/v1/models'));
      assert.equal(
        (models['data'] as JsonObject[]).map(({ id }) => id),
        ['hermes-agent'],
      );
      const response = await on.post(
        RUNS,
        { input: 'x', model: 'test', session_id: 's1' },
        {
          'x-hermes-session-key': 'chan',
        },
      );
      assert.is(response.headers.get('x-hermes-session-id'), 's1');
      assert.is(response.headers.get('x-hermes-session-key'), 'chan');
      const run = await json(response);
      assert.is((await json(await on.get(path(run))))['object'], 'hermes.run');
      (await on.turn(0)).end();
    },
    {},
    { compat: 'hermes' },
  );
});

test.run();
