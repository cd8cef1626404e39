import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { begins } from '../../runs/fake-turn.js';
import { asks, errorOf, json, path, shell, shellEnds, submit } from './run-calls.js';
import { objects, says, withApi } from './site.js';

test('a permission question is answered over the API, and the answer stands among the events', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'deploy' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(shell);
    turn.emit(asks);
    const waiting = await json(await on.get(path(run)));
    assert.is(waiting['status'], 'waiting_for_approval');
    assert.equal((waiting['approval'] as JsonObject)['choices'], ['once', 'session', 'deny']);
    assert.equal(await errorOf(await on.post(path(run, '/approval'), { choice: 'maybe' })), [
      400,
      'invalid_approval_choice',
    ]);
    const answered = await json(await on.post(path(run, '/approval'), { choice: ' Approve ' }));
    assert.equal(answered, {
      object: 'turnout.run.approval_response',
      run_id: run['run_id'] ?? null,
      choice: 'once',
      resolved: 1,
    });
    assert.equal(turn.frames.at(-1), { type: 'permission_result', id: 'pr_1', choice: 'allow_once' });
    assert.equal(await errorOf(await on.post(path(run, '/approval'), { choice: 'once' })), [
      409,
      'approval_not_pending',
    ]);
    turn.emit(shellEnds);
    turn.emit(says('done'));
    turn.end();
    const events = await objects(await on.get(path(run, '/events')));
    assert.equal(
      events.map(({ event }) => event),
      ['tool.started', 'approval.request', 'approval.responded', 'tool.completed', 'message.delta', 'run.completed'],
    );
    assert.is(events[1]?.['command'], 'make deploy');
    assert.is(events[2]?.['choice'], 'once');
    assert.equal(await errorOf(await on.post(path(run, '/approval'), { choice: 'once' })), [
      409,
      'approval_not_active',
    ]);
  }));

test('a question that nobody answers in time counts as no', () =>
  withApi(
    async (on) => {
      await submit(on, { input: 'deploy' });
      const turn = await on.turn(0);
      turn.emit(begins(1));
      turn.emit(asks);
      while (turn.frames.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.is(turn.frames[0]?.type === 'permission_result' ? turn.frames[0].choice : null, 'deny');
      turn.end();
    },
    {},
    { patienceMs: 20 },
  ));

test('the agent’s own questions are answered by name', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'paint' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit({
      v: 1,
      type: 'question',
      id: 'q_1',
      source: 'agent',
      questions: [{ id: 'colour', question: 'Which?' }],
    });
    const status = await json(await on.get(path(run)));
    assert.is((status['question'] as JsonObject)['request_id'], 'q_1');
    assert.equal(await errorOf(await on.post(path(run, '/answer'), { answers: { colour: 3 } })), [400, 'invalid_type']);
    assert.is((await on.post(path(run, '/answer'), { answers: { colour: 'red' } })).status, 200);
    assert.equal(turn.frames.at(-1), { type: 'question_result', id: 'q_1', answers: { colour: 'red' } });
    turn.end();
  }));

test('a run is stopped once, and a stopped one is told as it is', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'long' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    turn.emit(says('a'));
    assert.is((await json(await on.post(path(run, '/stop'), {})))['status'], 'stopping');
    turn.emit({ v: 1, type: 'error', code: 'cancelled', message: 'stopped', fatal: false });
    turn.end(130);
    const events = await objects(await on.get(path(run, '/events')));
    assert.is(events.at(-1)?.['event'], 'run.cancelled');
    assert.is(events.at(-1)?.['turn_exit_reason'], 'interrupted_by_user');
    const over = await json(await on.post(path(run, '/stop'), {}));
    assert.is(over['status'], 'cancelled');
    assert.is(over['completed'], false);
  }));

test('guidance is taken while a run works, and by runtimes that take it', () =>
  withApi(async (on) => {
    const run = await submit(on, { input: 'work' });
    const turn = await on.turn(0);
    turn.emit(begins(1));
    assert.equal(await errorOf(await on.post(path(run, '/steer'), { input: ' ' })), [400, 'invalid_steer_input']);
    const steered = await on.post(path(run, '/steer'), { message: 'be brief' });
    assert.equal(await json(steered), { object: 'turnout.run.steer', run_id: run['run_id'] ?? null, accepted: true });
    turn.end();
    await objects(await on.get(path(run, '/events')));
    assert.equal(await errorOf(await on.post(path(run, '/steer'), { input: 'more' })), [
      409,
      'run_not_accepting_steer',
    ]);
  }));

test.run();
