/** Whom runs belong to, who waits for them, and requests that come twice. */

import * as assert from 'uvu/assert';
import { plan } from '../fake-turn.js';
import { named, type On, OWNER, type Ports, reason, type Test, until } from './worlds.js';

export function callers(test: Test, on: On): void {
  test('the same key with the same request is the same run, whatever the order of its fields', () =>
    on(async ({ ports, turns }) => {
      const begin = (request: Record<string, string>, key = 'k', caller = OWNER) => {
        const idempotency = { key, request };
        const conversation = { kind: 'new' } as const;
        return ports.runs.start({ caller, plan: plan(), conversation, attended: false, idempotency });
      };
      const many = await Promise.all(Array.from({ length: 20 }, () => begin({ a: '1', b: '2' })));
      assert.is(new Set(many.map(({ run }) => run.run_id)).size, 1);
      assert.is(many.filter(({ replayed }) => !replayed).length, 1);
      const again = await begin({ b: '2', a: '1' });
      assert.equal([again.replayed, again.run.run_id], [true, many[0]?.run.run_id]);
      assert.is(await reason(begin({ a: '9' })), 'conflict');
      assert.is((await begin({ a: '9' }, 'k', named('other'))).replayed, false);
      assert.is((await begin({ a: '9' }, 'other')).replayed, false);
      await until(() => turns.length === 3);
    }));

  test('two processes that are given one new key in the same moment begin one run', () =>
    on(
      async ({ ports, beside }) => {
        if (!beside) return;
        const other = await beside();
        for (let round = 0; round < 20; round++) {
          const idempotency = { key: `same-${round}`, request: { round } };
          const begin = (here: Ports) =>
            here.runs.start({
              caller: OWNER,
              plan: plan(),
              conversation: { kind: 'new' },
              attended: false,
              idempotency,
            });
          const [one, two] = await Promise.all([begin(ports), begin(other)]);
          assert.is(one.run.run_id, two.run.run_id);
          assert.equal([one.replayed, two.replayed].sort(), [false, true]);
        }
      },
      { concurrency: 1, queue: 100 },
    ));

  test('a run with a key waits for its caller to come back, and has many waiters', () =>
    on(
      async ({ ports, turns }) => {
        const begin = () => {
          const conversation = { kind: 'new' } as const;
          const idempotency = { key: 'k', request: {} };
          return ports.runs.start({ caller: OWNER, plan: plan(), conversation, attended: true, idempotency });
        };
        const first = await begin();
        await until(() => turns.length === 1);
        first.attendance?.leave();
        const second = await begin();
        assert.equal([second.replayed, second.run.run_id], [true, first.run.run_id]);
        turns[0]?.end();
        assert.is((await ports.runs.ended(first.run.run_id, OWNER)).status, 'completed');
        second.attendance?.leave();
        assert.is((await begin()).run.status, 'completed');
      },
      { graceMs: 60_000 },
    ));

  test('a run that was cancelled because nobody waited is not what its key stands for', () =>
    on(
      async ({ ports, turns }) => {
        const begin = () => {
          const conversation = { kind: 'new' } as const;
          const idempotency = { key: 'k', request: {} };
          return ports.runs.start({ caller: OWNER, plan: plan(), conversation, attended: true, idempotency });
        };
        const first = await begin();
        await until(() => turns.length === 1);
        first.attendance?.leave();
        await until(() => turns[0]?.calls.includes('cancel') === true);
        turns[0]?.end(130);
        const ended = await ports.runs.ended(first.run.run_id, OWNER);
        assert.equal([ended.status, ended.ended_by], ['cancelled', 'disconnect']);
        const second = await begin();
        assert.equal([second.replayed, second.run.run_id === first.run.run_id], [false, false]);
      },
      { graceMs: 20 },
    ));

  test('a run without a key ends with its last waiter; a detached one does not', () =>
    on(async ({ ports, turns, submit }) => {
      const started = await ports.runs.start({
        caller: OWNER,
        plan: plan(),
        conversation: { kind: 'new' },
        attended: true,
      });
      const other = await ports.runs.attend(started.run.run_id, OWNER);
      const detached = await submit();
      await until(() => turns.length === 2);
      started.attendance?.leave();
      assert.equal(turns[0]?.calls, []);
      other?.deaf();
      await until(() => turns[0]?.calls.length === 1);
      assert.equal(turns[0]?.calls, ['stdin closed']);
      other?.leave();
      await until(() => turns[0]?.calls.length === 2);
      assert.equal(turns[0]?.calls, ['stdin closed', 'cancel']);
      (await ports.runs.attend(detached.run_id, OWNER))?.leave();
      assert.equal(turns[1]?.calls, []);
    }));

  test('what belongs to another principal is not found', () =>
    on(async ({ ports, turns }) => {
      const [ada, bob] = [named('ada'), named('bob')];
      const { run } = await ports.runs.start({
        caller: ada,
        plan: plan(),
        conversation: { kind: 'new' },
        attended: false,
      });
      const { run_id: id, session_id: session } = run;
      assert.is((await ports.runs.get(id, ada)).run.principal, 'ada');
      assert.is((await ports.runs.get(id, OWNER)).run.run_id, id);
      const drained = async () => {
        for await (const _ of ports.log.follow(id, { after: 0, follow: false }, bob)) break;
      };
      const conversation = { kind: 'continue', id: session } as const;
      for (const work of [
        () => ports.runs.get(id, bob),
        () => ports.runs.send(id, { type: 'cancel' }, bob),
        () => ports.runs.attend(id, bob),
        () => ports.runs.ended(id, bob),
        drained,
        () => ports.sessions.transcript(session, bob),
        () => ports.sessions.fork(session, bob),
        () => ports.runs.start({ caller: bob, plan: plan(), conversation, attended: false }),
      ])
        assert.is(await reason(work()), 'not-found');
      assert.equal([await ports.runs.list({ limit: 9 }, bob), await ports.sessions.list({ limit: 9 }, bob)], [[], []]);
      assert.is(await ports.sessions.get(session, bob), null);
      assert.is((await ports.sessions.find('hello', 9, bob)).length, 0);
      assert.is((await ports.sessions.find('hello', 9, ada)).length, 1);
      await until(() => turns.length === 1);
    }));
}
