/** What is sent to a run: answers, guidance, cancels, also from another process. */

import * as assert from 'uvu/assert';
import type { Answers } from '../../../src/contract/question.js';
import { plan, start } from '../fake-turn.js';
import { asks, entries, type On, OWNER, question, reaches, reason, type Test, until } from './worlds.js';

export function commands(test: Test, on: On): void {
  test('a question makes the run wait, its answer lets it go on', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      const approve = (choice: 'allow_once' | 'allow_session' | 'deny', request?: string) =>
        ports.runs.send(run.run_id, { type: 'approve', choice, ...(request ? { request } : {}) }, OWNER);
      await until(() => turns.length === 1);
      turns[0]?.emit(start);
      turns[0]?.emit(question);
      await reaches(ports, run, 'waiting_for_approval');
      assert.equal((await ports.runs.get(run.run_id, OWNER)).questions, [question]);
      assert.is(await reason(approve('allow_session')), 'bad-request');
      assert.is(await reason(approve('deny', 'pr_9')), 'not-pending');
      assert.is((await approve('allow_once')).id, 'pr_1');
      await reaches(ports, run, 'running');
      assert.equal(turns[0]?.frames, [{ type: 'permission_result', id: 'pr_1', choice: 'allow_once' }]);
      assert.is(await reason(approve('deny')), 'not-pending');
    }));

  test('what the agent asks a person makes the run wait, and only an answer that fits lets it go on', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      const answer = (answers: Answers, question?: string) =>
        ports.runs.send(run.run_id, { type: 'answer', answers, ...(question ? { question } : {}) }, OWNER);
      await until(() => turns.length === 1);
      turns[0]?.emit(start);
      turns[0]?.emit(asks);
      await reaches(ports, run, 'waiting_for_approval');
      assert.equal((await ports.runs.get(run.run_id, OWNER)).asked, [asks]);
      assert.is(await reason(answer({ colour: 'pink' })), 'bad-request');
      assert.is(await reason(answer({}, 'q_9')), 'not-pending');
      assert.is((await answer({ colour: 'red' })).id, 'q_1');
      assert.equal(turns[0]?.frames, [{ type: 'question_result', id: 'q_1', answers: { colour: 'red' } }]);
      turns[0]?.emit({
        v: 1,
        type: 'status',
        phase: 'notice',
        code: 'question-settled',
        question: { id: 'q_1', outcome: 'answered' },
      });
      await reaches(ports, run, 'running');
      assert.is(await reason(answer({})), 'not-pending');
    }));

  test('a question that was withdrawn is no longer open', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      await until(() => turns.length === 1);
      turns[0]?.emit(question);
      await reaches(ports, run, 'waiting_for_approval');
      turns[0]?.emit({
        v: 1,
        type: 'tool_activity',
        phase: 'end',
        id: 't1',
        name: 'shell',
        ok: false,
        output: '',
        output_truncated: false,
        duration_ms: 1,
      });
      await reaches(ports, run, 'running');
      assert.equal((await ports.runs.get(run.run_id, OWNER)).questions, []);
    }));

  test('a call is answered once, and a command with an id is done once', () =>
    on(async ({ ports, turns, submit }) => {
      const run = await submit();
      await until(() => turns.length === 1);
      turns[0]?.emit({ v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: {} });
      const answer = { type: 'tool_result', call: 'tc_1', ok: true, result: 'three' } as const;
      const first = await ports.runs.send(run.run_id, answer, OWNER, 'mail-1');
      assert.equal(await ports.runs.send(run.run_id, answer, OWNER, 'mail-1'), first);
      assert.equal(turns[0]?.frames, [{ type: 'tool_result', id: 'tc_1', ok: true, result: 'three' }]);
      assert.is(await reason(ports.runs.send(run.run_id, answer, OWNER)), 'not-pending');
    }));

  test('guidance is kept until the run begins, and comes back when nobody took it', () =>
    on(
      async ({ ports, turns, submit }) => {
        await submit();
        const run = await submit();
        const steer = (text: string) => ports.runs.send(run.run_id, { type: 'steer', text }, OWNER);
        await steer('be brief');
        await steer('in French');
        await until(() => turns.length === 1);
        turns[0]?.end();
        await until(() => turns.length === 2);
        assert.equal(turns[1]?.frames, [
          { type: 'steer', id: 's1', text: 'be brief' },
          { type: 'steer', id: 's2', text: 'in French' },
        ]);
        turns[1]?.emit({ v: 1, type: 'status', phase: 'notice', code: 'steer', steer: { id: 's1', delivered: true } });
        turns[1]?.end();
        assert.is((await ports.runs.ended(run.run_id, OWNER)).pending_steer, 'in French');
        assert.is(await reason(steer('too late')), 'not-active');
      },
      { concurrency: 1 },
    ));

  test('another process reads, answers and cancels what this one works on', () =>
    on(async ({ turns, submit, beside }) => {
      if (!beside) return;
      const other = await beside();
      const run = await submit();
      await until(() => turns.length === 1);
      turns[0]?.emit(start);
      turns[0]?.emit(question);
      await until(async () => (await other.runs.get(run.run_id, OWNER)).questions.length === 1);
      const reading = entries(other, run.run_id);
      const conversation = { kind: 'continue', id: run.session_id } as const;
      const busy = other.runs.start({ caller: OWNER, plan: plan(), conversation, attended: false, whenBusy: 'refuse' });
      assert.is(await reason(busy), 'session-busy');
      const receipt = await other.runs.send(run.run_id, { type: 'approve', choice: 'deny' }, OWNER, 'm1');
      assert.equal([receipt.id, receipt.did], ['pr_1', true]);
      assert.equal(turns[0]?.frames, [{ type: 'permission_result', id: 'pr_1', choice: 'deny' }]);
      assert.is(await reason(other.runs.send(run.run_id, { type: 'approve', choice: 'deny' }, OWNER)), 'not-pending');
      await other.runs.send(run.run_id, { type: 'cancel' }, OWNER);
      assert.equal(turns[0]?.calls, ['cancel']);
      turns[0]?.end(130);
      assert.equal(
        (await reading).map(({ event }) => event.type),
        ['start', 'permission_request', 'done'],
      );
      assert.is((await other.runs.ended(run.run_id, OWNER)).status, 'cancelled');
    }));
}
