/** Who runs when. */

import * as assert from 'uvu/assert';
import { says, settled, start } from '../fake-turn.js';
import { entries, named, type On, OWNER, question, reaches, reason, status, type Test, until } from './worlds.js';

export function order(test: Test, on: On): void {
  test('turns of one session run one after another, each on what the one before left', () =>
    on(async ({ turns, submit }) => {
      const first = await submit('one');
      const of = { conversation: { kind: 'continue', id: first.session_id } } as const;
      const second = await submit('two', of);
      assert.is(await reason(submit('three', { ...of, whenBusy: 'refuse' })), 'session-busy');
      await submit('elsewhere');
      await until(() => turns.length === 2);
      assert.equal(
        turns.map((turn) => turn.plan.request.prompt),
        ['one', 'elsewhere'],
      );
      turns[0]?.emit(start);
      turns[0]?.emit({ v: 1, type: 'session', session_id: 'native-1' });
      turns[0]?.end();
      await until(() => turns.length === 3);
      assert.equal([turns[2]?.plan.request.prompt, turns[2]?.plan.request.resume], ['two', 'native-1']);
      assert.is(second.session_id, first.session_id);
    }));

  test('a runtime that does not know the conversation is told what was said', () =>
    on(async ({ ports, turns, submit }) => {
      const first = await submit('my name is Ada');
      await until(() => turns.length === 1);
      turns[0]?.emit(start);
      turns[0]?.emit(says('Hello Ada'));
      turns[0]?.end();
      await ports.runs.ended(first.run_id, OWNER);
      const fork = await submit('who am I?', { conversation: { kind: 'fork', id: first.session_id } });
      assert.is.not(fork.session_id, first.session_id);
      await until(() => turns.length === 2);
      assert.match(turns[1]?.plan.request.system ?? '', /my name is Ada[\s\S]*Hello Ada/);
      assert.not.match(turns[1]?.plan.request.system ?? '', /who am I/);
    }));

  test('more runs than places wait in the order they came, and a full queue refuses', () =>
    on(
      async ({ ports, turns, submit }) => {
        const first = await submit('one');
        await until(() => turns.length === 1);
        const second = await submit('two');
        await reaches(ports, first, 'running');
        assert.is(await status(ports, second), 'queued');
        assert.is(await reason(submit('three')), 'busy');
        assert.equal((await ports.sessions.list({ limit: 9 }, OWNER)).length, 2);
        assert.is(await reason(submit('three', { whenFull: 'refuse' })), 'busy');
        turns[0]?.end();
        await until(() => turns.length === 2);
        assert.is(turns[1]?.plan.request.prompt, 'two');
      },
      { concurrency: 1, queue: 1 },
    ));

  test('a run that waits for a person gives its place to another', () =>
    on(
      async ({ ports, turns, submit }) => {
        const asking = await submit('asks');
        const other = await submit('works');
        await until(() => turns.length === 1);
        turns[0]?.emit(start);
        turns[0]?.emit(question);
        await until(() => turns.length === 2);
        await reaches(ports, asking, 'waiting_for_approval');
        await reaches(ports, other, 'running');
        const { running, waiting } = await ports.dispatch.load();
        assert.equal([running, waiting], [1, 1]);
      },
      { concurrency: 1 },
    ));

  test('callers share the places', () =>
    on(
      async ({ turns, submit }) => {
        for (const prompt of ['a1', 'a2', 'a3', 'a4']) await submit(prompt, { caller: named('ada') });
        await until(() => turns.length === 2);
        await submit('b1', { caller: named('bob') });
        turns[0]?.end();
        await until(() => turns.length === 3);
        assert.is(turns[2]?.plan.request.prompt, 'b1');
      },
      { concurrency: 2 },
    ));

  test('a queued run that is cancelled ends at once with a whole stream, and is never started', () =>
    on(
      async ({ ports, turns, submit }) => {
        await submit();
        const waiting = await submit();
        const { did } = await ports.runs.send(waiting.run_id, { type: 'cancel' }, OWNER);
        assert.ok(did);
        const ended = await ports.runs.ended(waiting.run_id, OWNER);
        assert.equal([ended.status, ended.ended_by], ['cancelled', 'user']);
        const types = (await entries(ports, waiting.run_id)).map(({ event }) => event.type);
        assert.equal(types, ['start', 'error', 'done']);
        await until(() => turns.length === 1);
        turns[0]?.end();
        await settled();
        assert.is(turns.length, 1);
      },
      { concurrency: 1 },
    ));
}
