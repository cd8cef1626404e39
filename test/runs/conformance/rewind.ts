/** A session that goes on as if its last turns had not been. */

import * as assert from 'uvu/assert';
import { says, start } from '../fake-turn.js';
import { type On, OWNER, reason, type Test, until } from './worlds.js';

export function rewind(test: Test, on: On): void {
  test('a rewound session goes on from before the turn, and a fork of before keeps all', () =>
    on(async ({ ports, turns, submit }) => {
      const first = await submit('my name is Ada');
      const of = { conversation: { kind: 'continue', id: first.session_id } } as const;
      async function answer(text: string, run: string): Promise<void> {
        const turn = turns.at(-1);
        turn?.emit(start);
        turn?.emit({ v: 1, type: 'session', session_id: 'native-1' });
        turn?.emit(says(text));
        turn?.end();
        await ports.runs.ended(run, OWNER);
      }
      await until(() => turns.length === 1);
      await answer('Hello Ada', first.run_id);
      const second = await submit('a mistake', of);
      await until(() => turns.length === 2);
      assert.is(await reason(ports.sessions.rewind(first.session_id, second.run_id, OWNER)), 'session-busy');
      await answer('Indeed', second.run_id);
      const fork = await ports.sessions.fork(first.session_id, OWNER);
      assert.is(await reason(ports.sessions.rewind(first.session_id, 'run_none', OWNER)), 'not-found');

      await ports.sessions.rewind(first.session_id, second.run_id, OWNER);
      const said = async (id: string) => (await ports.sessions.transcript(id, OWNER)).map(({ text }) => text);
      assert.equal(await said(first.session_id), ['my name is Ada', 'Hello Ada']);
      assert.equal(await said(fork.session_id), ['my name is Ada', 'Hello Ada', 'a mistake', 'Indeed']);
      assert.is((await ports.sessions.runs(first.session_id, OWNER, true)).length, 2);
      assert.is(await reason(ports.sessions.rewind(first.session_id, second.run_id, OWNER)), 'not-found');

      await submit('who am I?', of);
      await until(() => turns.length === 3);
      const { resume, system } = turns[2]?.plan.request ?? {};
      assert.is(resume, null);
      assert.match(system ?? '', /Hello Ada/);
      assert.not.match(system ?? '', /a mistake/);
    }));

  test('a fork made while a turn runs ends before that turn', () =>
    on(async ({ ports, turns, submit }) => {
      const first = await submit('one');
      await until(() => turns.length === 1);
      const fork = await ports.sessions.fork(first.session_id, OWNER);
      turns[0]?.emit(start);
      turns[0]?.emit(says('Yes'));
      turns[0]?.end();
      await ports.runs.ended(first.run_id, OWNER);
      assert.equal(await ports.sessions.transcript(fork.session_id, OWNER), []);
      assert.equal(await ports.sessions.runs(fork.session_id, OWNER), []);
    }));

  test('a session can begin with what was said elsewhere', () =>
    on(async ({ ports, turns, submit }) => {
      const opening = [
        { role: 'user', text: 'my name is Ada' },
        { role: 'assistant', text: 'Hello Ada' },
      ] as const;
      const { session_id } = await ports.sessions.create({ runtime: 'test', cwd: '/project', opening }, OWNER);
      await submit('who am I?', { conversation: { kind: 'continue', id: session_id } });
      await until(() => turns.length === 1);
      assert.match(turns[0]?.plan.request.system ?? '', /my name is Ada[\s\S]*Hello Ada/);
      assert.equal(
        (await ports.sessions.transcript(session_id, OWNER)).map(({ text }) => text),
        ['my name is Ada', 'Hello Ada', 'who am I?'],
      );
    }));
}
